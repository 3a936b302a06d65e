import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import { inState, SourceState } from '../../../../kernel/events/sources/states.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import type { InfrastructureContext } from '../../services.js';
import { INSTANCE_COLUMNS, type VmInstance } from './instance.js';
import { instanceKey } from './instance.rules.js';
import { instanceTopic } from './transition.actions.js';

/** Maximum number of terminated machines in a list. */
const MAX_TERMINATED = 200;

/** Newest first, with the machines that were terminated last. Literals, for the partial indexes. */
const INSTANCES_OF_USER = query('vm-instances-of-user', (db: Tables, value: { userId: number; since: Date }) => {
  const own = db.selectFrom('vmInstance as i').select(INSTANCE_COLUMNS).where('i.userId', '=', value.userId);
  const terminated = own
    .where(sql<boolean>`i.state = 'terminated'`)
    .where('i.updatedAt', '>', value.since)
    .orderBy('i.updatedAt', 'desc')
    .limit(MAX_TERMINATED);
  return own
    .where(sql<boolean>`i.state <> 'terminated'`)
    .unionAll((row) => row.parens(terminated))
    .orderBy('id', 'desc');
});

const INSTANCE_OF_USER = query('vm-instance-of-user', (db: Tables, value: { userId: number; id: number }) =>
  db
    .selectFrom('vmInstance as i')
    .select(INSTANCE_COLUMNS)
    .where((row) => row.and({ 'i.userId': value.userId, 'i.id': value.id })),
);

const INSTANCE_BY_UUID = query('vm-instance-by-uuid', (db: Tables, value: { userId: number; uuid: string }) =>
  db
    .selectFrom('vmInstance as i')
    .select(INSTANCE_COLUMNS)
    .where((row) => row.and({ 'i.userId': value.userId, 'i.uuid': value.uuid })),
);

const INSTANCES_BY_UUID = query(
  'vm-instances-by-uuid',
  (db: Tables, value: { userId: number; uuids: readonly string[] }) =>
    db
      .selectFrom('vmInstance as i')
      .select(INSTANCE_COLUMNS)
      .where('i.userId', '=', value.userId)
      .where('i.uuid', '=', anyOf(value.uuids)),
);

/** Milliseconds that a terminated machine stays in the list. */
const TERMINATED_TTL_MS = 3_600_000;

/** The user's machines, newest first. */
export function listInstances(database: Database, userId: number, now: Date): Promise<VmInstance[]> {
  return database.run(INSTANCES_OF_USER, { userId, since: new Date(now.getTime() - TERMINATED_TTL_MS) });
}

/** The user's machines with these uuids, in any order; machines of other users are omitted. */
export function instancesByUuid(database: Database, userId: number, uuids: readonly string[]): Promise<VmInstance[]> {
  return database.run(INSTANCES_BY_UUID, { userId, uuids });
}

/** A machine of the user by id or uuid; undefined also for machines of other users. */
export async function findInstance(
  database: Database,
  userId: number,
  id: number | string,
): Promise<VmInstance | undefined> {
  const key = instanceKey(String(id));
  if (key.uuid !== null) return (await database.run(INSTANCE_BY_UUID, { userId, uuid: key.uuid }))[0];
  return key.id === null ? undefined : (await database.run(INSTANCE_OF_USER, { userId, id: key.id }))[0];
}

/** A machine of the user by id or uuid. @throws NOT_FOUND, also for machines of other users */
export async function readInstance(database: Database, userId: number, id: number | string): Promise<VmInstance> {
  const instance = await findInstance(database, userId, id);
  if (!instance) throw notFound('There is no such virtual machine.');
  return instance;
}

/** Yields a user's machine after each change. All subscribers of a user share the reads; the state is the revision of each machine. */
export async function* instanceChanges(context: InfrastructureContext): AsyncGenerator<VmInstance | SourceState> {
  const { viewer, database, events, services, signal, now, resumeFrom } = context;
  const { userId } = requireUser(viewer);
  const read = () => listInstances(database, userId, now());
  let known = resumeFrom === undefined ? undefined : new Map(JSON.parse(resumeFrom) as [number, number][]);
  for await (const instances of services.instances.follow({ topic: instanceTopic(userId), events, read, signal })) {
    const before = known ?? new Map(instances.map(({ id, revision }) => [id, revision]));
    known = new Map(instances.map(({ id }) => [id, before.get(id) ?? 0]));
    for (const instance of instances) {
      if (known.get(instance.id) === instance.revision) continue;
      known.set(instance.id, instance.revision);
      yield inState({ ...instance }, JSON.stringify([...known]));
    }
    yield new SourceState(JSON.stringify([...known]));
  }
}
