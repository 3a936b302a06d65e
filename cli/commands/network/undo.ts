import type { Command } from 'commander';
import { graphql } from '../../../sdk/src/index.js';
import { confirm, previewOf, YES, type Confirmed } from '../../confirm.js';
import { UsageError } from '../../failure.js';
import { run, type Session } from '../../session.js';
import { showChange } from './changes.js';
import { CHANGES, type Changes } from './history.js';

/** The most that one request returns. */
const PAGE = 100;

const UNDO = graphql(`
  mutation ($id: String!) {
    undoLastChange(id: $id) {
      id
      revision
      items {
        kind
        before
        after
      }
    }
  }
`);

/** Adds `net undo`. */
export function addUndo(net: Command): void {
  net
    .command('undo [change]')
    .description('undo the last change; refused if it is not the one that is given')
    .option(...YES)
    .action(run(undo));
}

/** Shows what the undo would change, and undoes no other change than this one. */
async function undo(session: Session, [given]: readonly string[], { yes }: Confirmed): Promise<void> {
  const { client, output } = session;
  const change = await find(session, given);
  if (!change && given !== undefined) throw new UsageError(`There is no change "${given}".`);
  if (!change) throw new Error('There is no change to undo.');
  const rows = change.items.toReversed().map(({ before, after, ...row }) => ({ ...row, before: after, after: before }));
  const preview = previewOf(output, yes);
  if (preview) await showChange({ ...session, output: preview }, { rows });
  await confirm('Undo the last change?', yes);
  const { undoLastChange } = await client.graphql(UNDO, { id: change.id });
  output.done(`undone; the network is at revision ${undoLastChange.revision}`, undoLastChange);
}

/** Finds the change with this id, or the last one that can be undone. */
async function find({ client }: Session, given: string | undefined) {
  for (let before: number | null = null; ;) {
    const page: Changes = (await client.graphql(CHANGES, { before, limit: PAGE })).networkChanges;
    const found = page.find(({ id, undoes, undoneBy }) =>
      given === undefined ? undoes === null && undoneBy === null : id === given,
    );
    if (found || page.length < PAGE) return found;
    before = page.at(-1)?.revision ?? null;
  }
}
