import type { Client } from 'urql';
import { done } from '../../../graphql/done';
import { graphql, type ResultOf } from '../../../graphql/graphql';
import { totalsOf, type Group, type Total } from './totals';

const DAYS = graphql(`
  query ($after: String) {
    creditBalance {
      balance
      debt
      held
    }
    statementDays(first: 200, after: $after) {
      days {
        groups {
          cursor
          lines
          amount
          isDebt
        }
      }
      next
    }
  }
`);

type Page = ResultOf<typeof DAYS>;

/** The totals of an account, each stored and added up. */
export interface AccountProof {
  readonly totals: readonly Total[];
  readonly held: string;
  readonly holds: boolean;
  readonly provedAt: string;
}

/** Credits move while the days are read: then the sums differ from the balance, and are made again. */
const MAX_ATTEMPTS = 3;

/** Adds up all entries of the user, and compares the sums with the stored totals. */
export async function proveAccount(client: Client): Promise<AccountProof> {
  for (let attempt = 1; ; attempt += 1) {
    const proof = await addUp(client);
    if (proof.holds || attempt === MAX_ATTEMPTS) return proof;
  }
}

async function addUp(client: Client): Promise<AccountProof> {
  const { creditBalance, statementDays } = await pageAfter(client, null);
  const groups = groupsOf(statementDays);
  let after = statementDays.next;
  while (after !== null) {
    const page = await pageAfter(client, after);
    groups.push(...groupsOf(page.statementDays));
    after = page.statementDays.next;
  }
  const totals = totalsOf(creditBalance, groups);
  const holds = totals.every(({ stored, added }) => stored === added);
  return { totals, held: creditBalance.held, holds, provedAt: new Date().toISOString() };
}

async function pageAfter(client: Client, after: string | null): Promise<Page> {
  return done(client.query(DAYS, { after }, { requestPolicy: 'network-only' }));
}

function groupsOf({ days }: Page['statementDays']): Group[] {
  return days.flatMap(({ groups }) => groups);
}
