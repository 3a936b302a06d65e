import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { CompileScheduler } from '../../compile/workers/compile-scheduler.js';
import type { Tables } from '../../entities.js';
import { openChange } from '../../graph/history/history.actions.js';
import type { NetworkChange } from '../../graph/history/history.js';
import { changeGraph, type GraphChange } from '../../graph/tenant/tenant.actions.js';
import { planChange } from '../network-plan/network-plan.actions.js';
import type { NetworkPlan } from '../network-plan/network-plan.js';
import { checkEntries } from './network-document.rules.js';
import { writeDocument } from './write.actions.js';
import type { NetworkDocument } from './network-document.js';

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

/** Plans a document. @throws the errors of applying it, BAD_REQUEST and UNAVAILABLE for a graph that takes too long, RATE_LIMITED */
export async function planNetwork(
  planner: { readonly database: Database; readonly compiler: CompileScheduler },
  by: { readonly viewer: UserViewer; readonly now: Date },
  document: NetworkDocument,
): Promise<NetworkPlan> {
  checkEntries(document);
  return planChange(planner, by, (within) => writeDocument(planner.database, { ...by, within }, document));
}
