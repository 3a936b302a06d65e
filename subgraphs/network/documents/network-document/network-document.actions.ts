import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { CompileScheduler } from '../../compile/workers/compile-scheduler.js';
import type { Tables } from '../../entities.js';
import { openChange } from '../../graph/history/history.actions.js';
import type { NetworkChange } from '../../graph/history/history.js';
import { loadGraph } from '../../graph/network-graph/network-graph.actions.js';
import { changeGraph, type GraphChange } from '../../graph/tenant/tenant.actions.js';
import { checkEntries } from './network-document.rules.js';
import { writeDocument } from './write.actions.js';
import type { NetworkDocument, NetworkPlan } from './network-document.js';

const GRAPH_REVISION = query('graph-revision-in-change', (db: Tables, value: { tenantId: number }) =>
  db.selectFrom('tenant').select('graphRevision').where('id', '=', value.tenantId),
);

/**
 * Changes the viewer's network to match the document, in one change. @param revision of the graph that was planned
 * @throws CONFLICT if the graph has changed since, else the errors of each change, naming the entry
 */
export async function applyNetwork(
  database: Database,
  change: GraphChange,
  { document, revision }: { readonly document: NetworkDocument; readonly revision: number },
): Promise<NetworkChange> {
  checkEntries(document);
  return changeGraph(database, change, async (transaction, tenantId) => {
    const [own] = await transaction.run(GRAPH_REVISION, { tenantId });
    if (own?.graphRevision !== revision + 1)
      throw conflict('The network has changed since it was planned: plan again.');
    await writeDocument(database, { ...change, within: { transaction, tenantId } }, document);
    return openChange(transaction, tenantId);
  });
}

/** Rolls a transaction back and carries its result. */
class Rollback<Found> extends Error {
  constructor(readonly found: Found) {
    super('rolled back');
  }
}

/**
 * Plans a document: writes it in a transaction that is rolled back, and compares the graphs before and after. @throws
 * the errors of applying it, BAD_REQUEST and UNAVAILABLE for a graph that takes too long, RATE_LIMITED
 */
export async function planNetwork(
  { database, compiler }: { readonly database: Database; readonly compiler: CompileScheduler },
  { viewer, now }: { readonly viewer: UserViewer; readonly now: Date },
  document: NetworkDocument,
): Promise<NetworkPlan> {
  checkEntries(document);
  const { tenantId, before, after, items } = await runAndRollBack(database, `user ${viewer.userId}`, (inner) =>
    changeGraph(inner, { viewer, now }, async (transaction, id) => {
      const graph = await loadGraph(transaction, id);
      await writeDocument(database, { viewer, now, within: { transaction, tenantId: id } }, document);
      const change = await openChange(transaction, id);
      return { tenantId: id, before: graph, after: await loadGraph(transaction, id), items: change.items };
    }),
  );
  const size = { tenantId, size: before.text.length + after.text.length };
  const { opens, closes } = await compiler.work(size, (threads) =>
    threads.plan({ graph: before.text, after: after.text }),
  );
  const totals = { opensTotal: opens.total, closesTotal: closes.total };
  return { graphRevision: before.graphRevision - 1, items, opens: opens.pairs, closes: closes.pairs, ...totals };
}

/** Runs the work in a transaction that is rolled back, and returns its result. */
async function runAndRollBack<Found>(
  database: Database,
  owner: string,
  work: (inner: Pick<Database, 'change'>) => Promise<Found>,
): Promise<Found> {
  const run = async (transaction: Transaction): Promise<never> => {
    throw new Rollback(await work({ change: (inner) => inner(transaction) }));
  };
  return database.change(run, owner).catch((error: unknown) => {
    if (error instanceof Rollback) return error.found as Found;
    throw error;
  });
}
