import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorCode } from '../../../kernel/errors.js';
import {
  expireHolds,
  placeHold,
  releaseHold,
  settleHold,
} from '../../../subgraphs/accounts/ledger/hold/hold.actions.js';
import { postTransfer, takeBack } from '../../../subgraphs/accounts/ledger/transfer/transfer.actions.js';
import { proveLedger } from '../../../subgraphs/accounts/ledger/proof/ledger-proof.actions.js';
import type { AccountsRuntime } from '../../../subgraphs/accounts/services.js';
import { openLedger, transferOf, type LedgerUnderTest } from '../../kit/accounts/ledger.js';

/** Refusals that a movement may meet. */
const EXPECTED: readonly unknown[] = ['PAYMENT_REQUIRED', 'CONFLICT', 'NOT_FOUND'];

/** A hold that cannot be closed is a fault here. */
const THROWING = {
  error: ({ err }: { readonly err: unknown }) => {
    throw err;
  },
} as unknown as AccountsRuntime['log'];

/** The same sequence for the same seed: Lehmer's generator. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

let ledger: LedgerUnderTest;
let users: number[];
beforeAll(async () => {
  ledger = await openLedger();
  users = await Promise.all(Array.from({ length: 5 }, () => ledger.user()));
}, 60_000);
afterAll(() => ledger.close());

/** One movement of any kind; identities repeat, so that some have happened before. */
function anyMovement(run: number, random: (below: number) => number): Promise<unknown> {
  const { database, jobs } = ledger;
  const now = new Date();
  const userId = users[random(users.length)] ?? 0;
  const credits = `${random(50)}.${String(random(999_999) + 1).padStart(18, '0')}`;
  const reference = `${run} ${random(40)}`;
  const key = { source: 'tests', reference };
  const transfer = transferOf(userId, credits, { reference, kind: 'grant' });
  const movements = [
    () => database.change((transaction) => postTransfer(transaction, transfer, now)),
    () => database.change((transaction) => takeBack(transaction, { ...transfer, kind: 'back' }, now)),
    () =>
      database.change((transaction) =>
        postTransfer(transaction, { ...transfer, kind: 'spending', credits: `-${credits}` }, now),
      ),
    () => {
      const expiresAt = new Date(now.getTime() + 100 + random(2_000));
      return placeHold(database, jobs, { ...key, userId, credits, reason: 'a test', expiresAt }, now);
    },
    () => {
      const settlement = { ...key, settlement: `${random(3)}`, credits: `${random(9) + 1}`, reason: undefined };
      return settleHold(database, { ...settlement, isLast: random(4) === 0 }, now);
    },
    () => releaseHold(database, key, now),
    () => expireHolds({ database, log: THROWING, now: () => now }),
  ];
  return movements[random(movements.length)]?.() ?? Promise.reject(new Error('there is no such movement'));
}

/** Twenty walks at once; returns what else than an expected refusal went wrong. */
async function walk(seed: number): Promise<unknown[]> {
  const faults: unknown[] = [];
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const random = generator(seed * 1_000 + i + 1);
      for (let step = 0; step < 30; step++) {
        await anyMovement(seed, random).catch((error: unknown) => {
          if (!EXPECTED.includes(errorCode(error))) faults.push(error);
        });
      }
    }),
  );
  return faults;
}

describe.each([1, 2, 3])('six hundred random movements, twenty at once, of seed %i', (seed) => {
  it('meet no fault and leave a ledger that holds', async () => {
    const faults = await walk(seed);
    const { differences } = await proveLedger(ledger.database, new Date());
    expect({ faults, differences }).toEqual({ faults: [], differences: [] });
  });
});

describe('after them', () => {
  it('there were movements of every kind', async () => {
    const kinds = await ledger.database.rows<{ kind: string }>({
      name: 'kinds-of-the-tests',
      text: `SELECT DISTINCT kind FROM accounts.transfer ORDER BY kind`,
    });
    expect(kinds.map(({ kind }) => kind)).toEqual(['back', 'debt', 'grant', 'settlement', 'spending']);
  });

  it('nobody owes who has credits to spend', async () => {
    const rows = await ledger.database.rows({
      name: 'debtors-of-the-tests',
      text: 'SELECT user_id FROM accounts.ledger_account WHERE debt > 0 AND balance > held',
    });
    expect(rows).toEqual([]);
  });
});
