import type { Command } from 'commander';
import { graphql, type ResultOf } from '../../../sdk/src/index.js';
import { countOf } from '../../failure.js';
import { run, type Session } from '../../session.js';

/** The changes of the network, newest first, at most 100. */
export const CHANGES = graphql(`
  query ($before: Int, $limit: Int!) {
    networkChanges(before: $before, limit: $limit) {
      id
      revision
      at
      undoes
      undoneBy
      items {
        kind
        id
        before
        after
      }
    }
  }
`);

export type Changes = ResultOf<typeof CHANGES>['networkChanges'];

/** Adds `net history`. */
export function addHistory(net: Command): void {
  net
    .command('history')
    .description('list the last changes, newest first, for net undo')
    .option('--limit <n>', 'number of changes, 1 to 100', '20')
    .action(run(listChanges));
}

async function listChanges(
  { client, output }: Session,
  _args: readonly string[],
  { limit }: { readonly limit: string },
): Promise<void> {
  const { networkChanges } = await client.graphql(CHANGES, { before: null, limit: countOf(limit) });
  output.table(networkChanges, [
    ['id', ({ id }) => id],
    ['at', ({ at }) => at],
    ['changed', ({ items }) => kindsOf(items)],
    ['undoes', ({ undoes }) => undoes],
    ['undone by', ({ undoneBy }) => undoneBy],
  ]);
}

/** Returns how many rows of each kind changed, such as `2 member, 1 policy`. */
function kindsOf(items: Changes[number]['items']): string {
  const counts = new Map<string, number>();
  for (const { kind } of items) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
}
