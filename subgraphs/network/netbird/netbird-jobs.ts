import type { JobDefinition } from '../../../kernel/jobs.js';
import type { NetworkRuntime } from '../services.js';
import { GRAPHS_TOPIC } from '../tenant/tenant.actions.js';
import { endLease, noteDone, takeLease } from './lease.actions.js';
import { NetbirdRefusal, NetbirdSilence, type NetbirdApi } from './netbird-api.js';
import { machinesOf, noteMachines } from './machine.actions.js';
import { readState } from './object.actions.js';
import { Comparison, findDrift, readServer, reconcileTenant } from './reconciliation.js';

/** Milliseconds until the server is tried again: when it did not answer, and when it refused something or more is left. */
const AGAIN_MS = { silent: 5_000, left: 1_000, refused: 60_000 } as const;

/** What names of all tenants' objects begin with. */
const PREFIX = 'arp-';

const BEHIND = {
  name: 'netbird-tenants-behind',
  text: `
    SELECT t.id FROM network.tenant t LEFT JOIN network.netbird_tenant n ON n.tenant_id = t.id
     WHERE n.revision IS DISTINCT FROM t.graph_revision ORDER BY t.id`,
};
const ALL = { name: 'netbird-tenants', text: 'SELECT id FROM network.tenant ORDER BY id' };

/** Has the server follow each change of a graph at once; what a crash kept from being heard the job for drift finds. */
export function watchGraphs(runtime: NetworkRuntime): void {
  if (!runtime.services.netbird) return;
  void (async () => {
    for await (const { id } of runtime.events.subscribe([GRAPHS_TOPIC], new AbortController().signal))
      try {
        await (id === undefined ? enqueueThoseBehind(runtime) : enqueue(runtime, Number(id)));
      } catch (error) {
        runtime.log.error({ err: error }, 'a change of a graph was not handed to NetBird yet');
      }
  })();
}

/** Brings one tenant's objects up to date. One process at a time does, others come back. */
export const NETBIRD_RECONCILIATION: JobDefinition<NetworkRuntime> = {
  name: 'reconcile-netbird',
  lane: 'slow',
  async work({ tenantId }, runtime) {
    const { database, now, log, services } = runtime;
    if (!services.netbird || typeof tenantId !== 'number') return;
    const lease = await takeLease(database, tenantId, now());
    if (!lease) return enqueue(runtime, tenantId, AGAIN_MS.left);
    try {
      const place = { api: services.netbird, database, now, log };
      const { revision, wasRefused } = await reconcileTenant(place, tenantId, lease);
      if (revision !== undefined) await noteDone(database, tenantId, { lease, revision, now: now() });
      else await enqueue(runtime, tenantId, wasRefused ? AGAIN_MS.refused : AGAIN_MS.left);
    } catch (error) {
      complain(runtime, error);
      await enqueue(runtime, tenantId, AGAIN_MS.silent);
    } finally {
      await endLease(database, tenantId, lease);
    }
  },
};

/** Looks at the whole server for what somebody else did, and for machines; has it repaired. */
export const NETBIRD_DRIFT: JobDefinition<NetworkRuntime> = {
  name: 'find-netbird-drift',
  lane: 'slow',
  cron: '* * * * *',
  runsAtStart: true,
  async work(_, runtime) {
    if (!runtime.services.netbird) return;
    await enqueueThoseBehind(runtime);
    await lookForDrift(runtime, runtime.services.netbird).catch((error: unknown) => complain(runtime, error));
  },
};

async function lookForDrift(runtime: NetworkRuntime, api: NetbirdApi): Promise<void> {
  const { database, now, log } = runtime;
  const place = { api, database, now, log };
  const findings = await readServer(place, PREFIX);
  for (const { id } of await database.rows<{ id: number }>(ALL)) {
    const state = await readState(database, id, now());
    await noteMachines(database, state, { machines: machinesOf(state, findings), now: now() });
    // Whoever brings it up to date now, or soon, compares for himself.
    if (state.isLeased || state.revision !== state.graph.revision) continue;
    const { isRight } = await findDrift(place, new Comparison(state, findings));
    if (!isRight) await enqueue(runtime, id);
  }
}

async function enqueueThoseBehind(runtime: NetworkRuntime): Promise<void> {
  for (const { id } of await runtime.database.rows<{ id: number }>(BEHIND)) await enqueue(runtime, id);
}

function enqueue({ database, jobs, now }: NetworkRuntime, tenantId: number, afterMs = 0): Promise<void> {
  const startAfter = new Date(now().getTime() + afterMs);
  return database.change((transaction) =>
    jobs.enqueue(transaction, NETBIRD_RECONCILIATION.name, { tenantId }, { key: String(tenantId), startAfter }),
  );
}

/** The server's own failures are told in one line, and tried again; @throws what is none */
function complain({ log }: NetworkRuntime, error: unknown): void {
  if (!(error instanceof NetbirdSilence || error instanceof NetbirdRefusal)) throw error;
  log.warn({ reason: error.message }, 'NetBird cannot be asked now; it will be again');
}
