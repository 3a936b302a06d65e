import type { Command } from 'commander';
import { graphql } from '../../../sdk/src/index.js';
import { countOf } from '../../failure.js';
import { rowsUpTo } from '../../pages.js';
import { run, type Session } from '../../session.js';
import { isSimulated } from '../../simulated.js';
import { addPayments } from './buy.js';

const BALANCE = graphql('{ creditBalance { balance held debt } }');

const STATEMENT = graphql(`
  query ($first: Int, $after: String) {
    statement(first: $first, after: $after) {
      lines {
        createdAt
        amount
        balance
        kind
        reason
      }
      next
    }
  }
`);

/** Adds `credits`. */
export function addCredits(program: Command): void {
  const credits = program
    .command('credits')
    .description('show the balance and the newest lines of the statement; buy credits')
    .option('-n, --lines <count>', 'lines of the statement', '10')
    .action(run(showCredits));
  addPayments(credits);
}

async function showCredits(
  { client, output }: Session,
  _args: readonly string[],
  options: { readonly lines: string },
): Promise<void> {
  const lines = rowsUpTo({
    limit: countOf(options.lines),
    read: async (first, after: string | undefined) => {
      const { statement } = await client.graphql(STATEMENT, { first, after: after ?? null });
      return { rows: statement.lines, next: statement.next };
    },
  });
  const simulated = isSimulated(client, 'payments');
  const [{ creditBalance }, statement, isTestMoney] = await Promise.all([client.graphql(BALANCE), lines, simulated]);
  const credits = { ...creditBalance, isTestMoney };
  if (output.isJson) return output.json({ ...credits, lines: statement });
  output.record(credits);
  output.line('');
  output.table(statement, [
    ['time', ({ createdAt }) => createdAt],
    ['amount', ({ amount }) => amount],
    ['balance', ({ balance }) => balance],
    ['reason', ({ reason }) => reason],
  ]);
}
