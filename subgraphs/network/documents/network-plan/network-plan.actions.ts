import type { Database, Transaction } from '../../../../kernel/database/database.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { CompileScheduler } from '../../compile/workers/compile-scheduler.js';
import { openChange, undoSince } from '../../graph/history/history.actions.js';
import { loadGraph } from '../../graph/network-graph/network-graph.actions.js';
import { changeGraph, type GraphChange } from '../../graph/tenant/tenant.actions.js';
import type { NetworkPlan } from './network-plan.js';

interface Planner {
  readonly database: Database;
  readonly compiler: CompileScheduler;
}

interface PlannedBy {
  readonly viewer: UserViewer;
  readonly now: Date;
}

/**
 * Plans a change: makes it in a transaction that is rolled back, and compares the graphs before and after. @throws
 * FORBIDDEN until provisioned, the errors of the work, BAD_REQUEST and UNAVAILABLE for a graph that takes too long,
 * RATE_LIMITED
 */
export async function planChange(
  { database, compiler }: Planner,
  { viewer, now }: PlannedBy,
  work: (within: NonNullable<GraphChange['within']>) => Promise<void>,
): Promise<NetworkPlan> {
  const { tenantId, before, after, items } = await runAndRollBack(database, `user ${viewer.userId}`, (inner) =>
    changeGraph(inner, { viewer, now }, async (transaction, id) => {
      const graph = await loadGraph(transaction, id);
      await work({ transaction, tenantId: id });
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

/** Plans to undo a change and all later ones. @throws CONFLICT when one of them cannot be undone, else as `planChange` */
export function planUndo(planner: Planner, by: PlannedBy, id: string): Promise<NetworkPlan> {
  return planChange(planner, by, ({ transaction, tenantId }) => undoSince(transaction, tenantId, id));
}

/** Rolls a transaction back and carries its result. */
class Rollback<Found> extends Error {
  constructor(readonly found: Found) {
    super('rolled back');
  }
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
