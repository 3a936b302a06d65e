import { sql } from 'kysely';
import { createHash, randomUUID } from 'node:crypto';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { badRequest, conflict, forbidden, paymentRequired, rateLimited, errorCode } from '../../../../kernel/errors.js';
import { HAS_NETWORK, PLACE_HOLD, RELEASE_HOLD } from '../../calls.js';
import { holdReference } from '../billing/billing.rules.js';
import type { Tables } from '../../entities.js';
import type { InfrastructureContext } from '../../services.js';
import { readInstance } from '../instance/instance.actions.js';
import type { VmInstance } from '../instance/instance.js';
import { uuidForKey } from '../instance/instance.rules.js';
import { enqueueReconcile, instanceEvent } from '../instance/transition.actions.js';

/** A validated request for a machine. */
export interface SpawnRequest {
  readonly flavorId: number;
  readonly imageId: number;
  readonly applicationId: number | null;
  readonly sshPublicKey: string;
  readonly name: string | null;
  /** Omitted when false, so that the hash of older requests stays the same. */
  readonly joinsNetwork?: true;
  readonly idempotencyKey: string | null;
}

/** Credits that are held for a new machine until it runs. */
const SPAWN_CREDITS = '10';

/** Milliseconds after which the hold of an interrupted spawn expires. */
const SPAWN_HOLD_MS = 2 * 3_600_000;

/** The user, the request and its identity. */
interface Attempt {
  readonly userId: number;
  readonly uuid: string;
  readonly hash: string;
  readonly request: SpawnRequest;
}

/**
 * Creates a machine. The same idempotency key with the same request returns the same machine.
 * @throws BAD_REQUEST for unavailable parts, FORBIDDEN to join a missing network, PAYMENT_REQUIRED below 10 credits,
 * CONFLICT for a key of another request and for too many machines, RATE_LIMITED for too many a day
 */
export async function spawnInstance(
  context: InfrastructureContext,
  userId: number,
  request: SpawnRequest,
): Promise<VmInstance> {
  const { database, jobs, now } = context;
  const key = request.idempotencyKey;
  const attempt: Attempt = {
    userId,
    uuid: key === null ? randomUUID() : uuidForKey(userId, key),
    hash: createHash('sha256').update(JSON.stringify(request)).digest('hex'),
    request,
  };
  const known = await database.change(async (transaction) => {
    await transaction.run(LOCK_MACHINES, { userId });
    const before = await spawnedBefore(transaction, attempt);
    if (before !== undefined) return before;
    await findOffer(transaction, request);
    await refuseTooMany(transaction, userId, now());
    return undefined;
  });
  if (known !== undefined) return readInstance(database, userId, known);
  if (request.joinsNetwork && !(await context.callSubgraph(HAS_NETWORK, { userId }, context.requestId)))
    throw forbidden(
      'You have no private network that the virtual machine can join: POST /api/network/provision/ first.',
    );
  const holdNumber = await holdForSpawn(context, attempt);
  const at = now();
  const add = async (transaction: Transaction) => {
    await transaction.run(LOCK_MACHINES, { userId });
    // A concurrent request with the same key may have been first.
    const faster = await spawnedBefore(transaction, attempt);
    if (faster !== undefined) return { id: faster };
    await refuseTooMany(transaction, userId, at);
    const added = await addInstance(transaction, attempt, { holdNumber, at });
    if (added === undefined) throw badRequest('The flavor, image or application is no longer available.');
    await enqueueReconcile(transaction, jobs, { userId, id: added, revision: 1 });
    transaction.publishAfterCommit(instanceEvent(userId, added));
    return { id: added };
  };
  const { id } = await database.change(add).catch(async (error: unknown) => {
    if (errorCode(error)) await giveBack(context, attempt, holdNumber);
    throw error;
  });
  return readInstance(database, userId, id);
}

const MACHINE = query('vm-exists', (db: Tables, { userId, uuid }: { userId: number; uuid: string }) =>
  db.selectFrom('vmInstance').where((row) => row.and({ userId, uuid })),
);

/** Releases the hold of a refused spawn, unless another request with the same key uses it. */
async function giveBack(
  { database, callSubgraph, requestId }: InfrastructureContext,
  { userId, uuid }: Attempt,
  holdNumber: number,
): Promise<void> {
  if ((await database.run(MACHINE, { userId, uuid })).length > 0) return;
  await callSubgraph(RELEASE_HOLD, { reference: holdReference(uuid, holdNumber) }, requestId);
}

const SPAWNED = query('vm-of-key', (db: Tables, value: { userId: number; idempotencyKey: string }) =>
  db
    .selectFrom('vmInstance')
    .select(['id', 'requestHash'])
    .where((row) => row.and({ userId: value.userId, idempotencyKey: value.idempotencyKey })),
);

async function spawnedBefore(transaction: Transaction, attempt: Attempt): Promise<number | undefined> {
  const { userId, hash, request } = attempt;
  const { idempotencyKey } = request;
  if (idempotencyKey === null) return undefined;
  const [known] = await transaction.run(SPAWNED, { userId, idempotencyKey });
  if (known && known.requestHash !== hash) throw conflict('This idempotency key was already used for another request.');
  return known?.id;
}

/** Maximum number of machines per user. */
const MAX_MACHINES = 100;

/** Maximum number of new machines per user and day; terminated ones are kept. */
const MAX_A_DAY = 500;

const DAY_MS = 24 * 3_600_000;

/** Serializes spawns of one user by an advisory lock, so that the count is exact and a key makes one machine. */
const LOCK_MACHINES = query(
  'lock-vms-of-user',
  (_: Tables, value: { userId: number }) =>
    sql<object>`SELECT pg_advisory_xact_lock(hashtext('machines of a user'), ${value.userId})`,
);
/** Reads no more rows than the two limits. */
const COUNT_MACHINES = query(
  'count-vms-of-user',
  (_: Tables, { userId, since }: { userId: number; since: Date }) => sql<{ machines: number; made: number }>`
  SELECT (SELECT count(*) FROM infrastructure.vm_instance WHERE user_id = ${userId} AND state <> 'terminated')::integer AS machines,
         (SELECT count(*) FROM (SELECT created_at FROM infrastructure.vm_instance WHERE user_id = ${userId}
                                 ORDER BY id DESC LIMIT ${MAX_A_DAY}) newest WHERE created_at > ${since})::integer AS made`,
);

async function refuseTooMany(transaction: Transaction, userId: number, now: Date): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS);
  const [{ machines, made } = { machines: 0, made: 0 }] = await transaction.run(COUNT_MACHINES, { userId, since });
  if (made >= MAX_A_DAY)
    throw rateLimited(`You can create at most ${MAX_A_DAY} virtual machines a day.`, { retryAfter: 3_600 });
  if (machines >= MAX_MACHINES)
    throw conflict(`You have ${MAX_MACHINES} virtual machines, the maximum: terminate one first.`);
}

const PARTS = ['flavor', 'image', 'application'] as const;

/** Checks that each part of a request is available. */
const OFFERS = query(
  'vm-offers',
  (_: Tables, { flavorId, imageId, applicationId }: SpawnRequest) => sql<Record<(typeof PARTS)[number], boolean>>`
  SELECT EXISTS (SELECT FROM infrastructure.vm_flavor WHERE id = ${flavorId} AND retired_at IS NULL) AS flavor,
         EXISTS (SELECT FROM infrastructure.vm_image WHERE id = ${imageId} AND retired_at IS NULL) AS image,
         ${applicationId}::integer IS NULL
           OR EXISTS (SELECT FROM infrastructure.vm_application WHERE id = ${applicationId} AND retired_at IS NULL) AS application`,
);

async function findOffer(transaction: Transaction, request: SpawnRequest): Promise<void> {
  const [offer] = await transaction.run(OFFERS, request);
  const missing = PARTS.find((part) => !offer?.[part]);
  if (missing) throw badRequest(`\`${missing}_id\` is not the id of an available ${missing}.`);
}

/**
 * Places the hold before the machine exists, so that concurrent spawns cannot use the same credits. The hold of an
 * interrupted spawn expires. @returns the number of the hold @throws PAYMENT_REQUIRED
 */
async function holdForSpawn(
  { callSubgraph, now, requestId }: InfrastructureContext,
  attempt: Attempt,
): Promise<number> {
  const { userId, uuid } = attempt;
  const expiresAt = new Date(now().getTime() + SPAWN_HOLD_MS).toISOString();
  // Holds of earlier, interrupted attempts with the same key may have expired.
  for (let number = 0; number < 100; number++) {
    const reference = holdReference(uuid, number);
    const hold = { userId, reference, credits: SPAWN_CREDITS, reason: 'A virtual machine', expiresAt };
    const placed = await callSubgraph(PLACE_HOLD, hold, requestId).catch((error: unknown) => {
      if (errorCode(error) !== 'PAYMENT_REQUIRED') throw error;
      throw paymentRequired(
        `A new virtual machine needs ${SPAWN_CREDITS} credits that are not held for other machines.`,
      );
    });
    if (placed.state === 'open') return number;
  }
  throw conflict('This idempotency key was tried too often: use another.');
}

type NewInstance = Omit<SpawnRequest, 'joinsNetwork'> &
  Omit<Attempt, 'request'> & { readonly at: Date; readonly joinsNetwork: boolean };

const ADD = query(
  'add-vm',
  (_: Tables, value: NewInstance) => sql<{ id: number }>`
  WITH made AS (SELECT nextval(pg_get_serial_sequence('infrastructure.vm_instance', 'id'))::integer AS id)
  INSERT INTO infrastructure.vm_instance (id, uuid, user_id, name, flavor_id, image_id, application_id, flavor_name, cpu_cores,
    memory_mb, disk_gb, image_name, ssh_public_key, idempotency_key, request_hash, created_at, updated_at, joins_network)
  SELECT made.id, ${value.uuid}, ${value.userId}, coalesce(${value.name}, f.name || '-' || made.id), f.id, m.id, ${value.applicationId},
    f.name, f.cpu_cores, f.memory_mb, f.data_disk_gb, m.name, ${value.sshPublicKey}, ${value.idempotencyKey}, ${value.hash},
    ${value.at}, ${value.at}, ${value.joinsNetwork}
    FROM made CROSS JOIN infrastructure.vm_flavor f CROSS JOIN infrastructure.vm_image m
   WHERE f.id = ${value.flavorId} AND m.id = ${value.imageId}
  ON CONFLICT DO NOTHING RETURNING id`,
);
const ADD_BILLING = query(
  'add-vm-billing',
  (_: Tables, value: { id: number; userId: number; flavorId: number; holdNumber: number }) => sql<object>`
  INSERT INTO infrastructure.vm_billing
    (instance_id, user_id, credits_per_hour, stopped_credits_per_hour, hold_number, hold_state, hold_credits)
  SELECT ${value.id}, ${value.userId}, credits_per_hour, stopped_credits_per_hour, ${value.holdNumber}, 'open', ${SPAWN_CREDITS}
    FROM infrastructure.vm_flavor WHERE id = ${value.flavorId}`,
);

/** @returns its id; undefined when its flavor or image is gone */
async function addInstance(
  transaction: Transaction,
  { userId, uuid, hash, request }: Attempt,
  { holdNumber, at }: { readonly holdNumber: number; readonly at: Date },
): Promise<number | undefined> {
  const { flavorId, joinsNetwork = false } = request;
  const [added] = await transaction.run(ADD, { ...request, uuid, userId, hash, at, joinsNetwork });
  if (!added) return undefined;
  await transaction.run(ADD_BILLING, { id: added.id, userId, flavorId, holdNumber });
  return added.id;
}
