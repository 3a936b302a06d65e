import type { Database } from '../../../../kernel/database/database.js';
import { notFound } from '../../../../kernel/errors.js';
import { requireUser } from '../../../../kernel/viewer.js';
import type { InfrastructureContext } from '../../services.js';
import { INSTANCE_COLUMNS, type VmInstance } from './instance.js';
import { instanceKey } from './instance.rules.js';
import { instanceTopic } from './transition.actions.js';

/** Newest first, with machines terminated within the last hour. */
const INSTANCES_OF_USER = {
  name: 'vm-instances-of-user',
  text: `SELECT ${INSTANCE_COLUMNS} FROM infrastructure.vm_instance i
          WHERE i.user_id = $1 AND (i.state <> 'terminated' OR i.updated_at > $2) ORDER BY i.id DESC`,
};

const INSTANCE_OF_USER = {
  name: 'vm-instance-of-user',
  text: `SELECT ${INSTANCE_COLUMNS} FROM infrastructure.vm_instance i WHERE i.user_id = $1 AND i.id = $2`,
};

const INSTANCE_BY_UUID = {
  name: 'vm-instance-by-uuid',
  text: `SELECT ${INSTANCE_COLUMNS} FROM infrastructure.vm_instance i WHERE i.user_id = $1 AND i.uuid = $2`,
};

/** Milliseconds that a terminated machine stays in the list. */
const LISTED_MS = 3_600_000;

/** The user's machines, newest first. */
export function listInstances(database: Database, userId: number, now: Date): Promise<VmInstance[]> {
  return database.rows<VmInstance>(INSTANCES_OF_USER, [userId, new Date(now.getTime() - LISTED_MS)]);
}

/** A machine of the user by id or uuid; undefined also for machines of other users. */
export async function findInstance(
  database: Database,
  userId: number,
  id: number | string,
): Promise<VmInstance | undefined> {
  const key = instanceKey(String(id));
  const [statement, value] = key.uuid === null ? [INSTANCE_OF_USER, key.id] : [INSTANCE_BY_UUID, key.uuid];
  const [instance] = value === null ? [] : await database.rows<VmInstance>(statement, [userId, value]);
  return instance;
}

/** A machine of the user by id or uuid. @throws NOT_FOUND, also for machines of other users */
export async function readInstance(database: Database, userId: number, id: number | string): Promise<VmInstance> {
  const instance = await findInstance(database, userId, id);
  if (!instance) throw notFound('There is no such virtual machine.');
  return instance;
}

/** Yields a user's machine after each change. After missed events, yields all machines that changed since. */
export async function* instanceChanges({
  viewer,
  database,
  events,
  signal,
  now,
}: InfrastructureContext): AsyncGenerator<VmInstance> {
  const { userId } = requireUser(viewer);
  const changes = events.subscribe([instanceTopic(userId)], signal);
  const list = () => listInstances(database, userId, now());
  const seen = new Map((await list()).map(({ id, revision }) => [id, revision]));
  for await (const { id } of changes) {
    const instances = id === undefined ? await list() : [await readInstance(database, userId, id)];
    for (const instance of instances) {
      if (seen.get(instance.id) === instance.revision) continue;
      seen.set(instance.id, instance.revision);
      yield instance;
    }
  }
}
