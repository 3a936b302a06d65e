import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { errorCode } from '../../../../kernel/errors.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import { HostUnreachable, ProviderFault, type Machine, type Observation } from '../provider/provider.js';
import type { Tables } from '../../entities.js';
import { ownedRow, type OwnedRow } from '../../owned-row.rules.js';
import type { InfrastructureRuntime } from '../../services.js';
import { DROP_VM_PEER } from '../../calls.js';
import { specOf, type NewMachine } from './first-boot.actions.js';
import { hostOf } from './host.actions.js';
import type { InstanceState } from './instance.js';
import { hostNameOf, MAX_ATTEMPTS, stepOf } from './instance.rules.js';
import { pauseBilling } from './running.actions.js';
import {
  countAttempt,
  enqueueReconcile,
  RECONCILE,
  recordFirstAttempt,
  transitionInstance,
} from './transition.actions.js';

interface ReconciledInstance extends Omit<NewMachine, 'hostName'> {
  readonly name: string;
  readonly id: number;
  readonly state: InstanceState;
  readonly ref: string | null;
  readonly attempts: number;
  readonly revision: number;
  readonly requestedAt: Date;
  /** When its command was first sent. */
  readonly attemptedAt: Date;
}

const INSTANCE_TO_RECONCILE = query('vm-instance', (db: Tables, value: OwnedRow) =>
  db
    .selectFrom('vmInstance as i')
    .innerJoin('vmImage as m', 'm.id', 'i.imageId')
    .leftJoin('vmApplication as a', 'a.id', 'i.applicationId')
    .select(['i.id', 'i.uuid', 'i.userId', 'i.name', 'i.cpuCores', 'i.memoryMb', 'i.diskGb', 'i.sshPublicKey'])
    .select([
      'i.joinsNetwork',
      'i.state',
      'i.providerRef as ref',
      'i.attempts',
      'i.revision',
      'i.updatedAt as requestedAt',
      'i.attemptedAt',
    ])
    .select(['m.slug as image', 'a.slug as application', 'a.userData as template', 'a.probePort'])
    .where('i.userId', '=', value.userId)
    .where('i.id', '=', value.id),
);

/** Milliseconds between two polls of a machine in transition: a fifth of the elapsed time, within these bounds. */
const POLL_INTERVAL_MS = { min: 1_000, max: 15_000 } as const;

/** Milliseconds from its first attempt that a step may take before it is given up, if it can be. */
const TIMEOUT_MS = 20 * 60_000;

/** Reconciles one machine with its desired state. */
export const RECONCILE_INSTANCE: JobDefinition<InfrastructureRuntime> = {
  name: RECONCILE,
  queue: 'slow',
  work: (data, runtime) => reconcileInstance(runtime, ownedRow(data)),
};

/** Sends the command of the current state to the host, again on each poll, until the state is stable. Commands are idempotent. */
export async function reconcileInstance(runtime: InfrastructureRuntime, instance: OwnedRow): Promise<void> {
  const { database, jobs, now } = runtime;
  const [known] = await database.run(INSTANCE_TO_RECONCILE, instance);
  if (!known) return;
  const found = { ...known, attemptedAt: known.attemptedAt ?? now() };
  if (found.state === 'pending') {
    // The transition enqueues the next reconcile job.
    await database.change((transaction) =>
      transitionInstance(transaction, jobs, { ...instance, to: 'spawning' }, now()),
    );
    return;
  }
  // A creation that was in progress may have enrolled it after its peer was removed.
  if (found.state === 'terminated') return dropPeer(runtime, found);
  const step = stepOf(found.state);
  if (!step) return;
  if (!known.attemptedAt) await recordFirstAttempt(database, found);
  const provider = hostOf(runtime);
  try {
    const ref = await sendCommand(runtime, step.command, found);
    const observed = await provider.observe({ uuid: found.uuid, ref, command: commandOf(found) });
    await applyObservation(runtime, found, { ref, observed });
  } catch (error) {
    await countFault(runtime, found, error);
  }
}

async function sendCommand(
  runtime: InfrastructureRuntime,
  command: string,
  instance: ReconciledInstance,
): Promise<string | null> {
  const provider = hostOf(runtime);
  const { uuid, ref, requestedAt } = instance;
  const machine: Machine = { uuid, ref, requestedAt, command: commandOf(instance) };
  if (command === 'create')
    return provider.create(await specOf(runtime, { ...instance, hostName: hostNameOf(instance.name, instance.id) }));
  if (command === 'start') await provider.start(machine);
  if (command === 'stop') await provider.stop(machine);
  if (command === 'reboot') await provider.reboot(machine);
  if (command === 'destroy') {
    await provider.destroy(machine);
    await dropPeer(runtime, instance);
  }
  return ref;
}

function commandOf({ revision }: Pick<ReconciledInstance, 'revision'>): string {
  return String(revision);
}

/** Its owner may have attached it to the network even if it was created without joining. */
async function dropPeer(
  { callSubgraph }: InfrastructureRuntime,
  { userId, uuid }: Pick<ReconciledInstance, 'userId' | 'uuid'>,
): Promise<void> {
  await callSubgraph(DROP_VM_PEER, { userId, uuid }, randomUUID());
}

interface ObservedInstance {
  readonly ref: string | null;
  readonly observed: Observation;
}

async function applyObservation(
  runtime: InfrastructureRuntime,
  instance: ReconciledInstance,
  { ref, observed }: ObservedInstance,
): Promise<void> {
  const { database, jobs, now } = runtime;
  const { userId, id, state, revision } = instance;
  const step = stepOf(state);
  if (observed.state === 'broken')
    throw new ProviderFault(observed.reason ?? 'The host reports that the machine is broken.');
  const tookMs = now().getTime() - instance.attemptedAt.getTime();
  const isDone = step?.until.includes(observed.state) === true;
  if (tookMs > TIMEOUT_MS && step?.otherwise && !isDone)
    return giveUp(runtime, instance, `The host took too long to ${step.doing} this virtual machine.`);
  const { publicIp, sshPort } = observed;
  const isMoved = await database.change(async (transaction) => {
    if (step && isDone) {
      const addresses = { publicIp, sshPort: sshPort ?? null };
      const transition = { userId, id, from: state, revision, to: step.to, ...addresses, providerRef: ref };
      return transitionInstance(transaction, jobs, transition, now());
    }
    const afterMs = Math.max(POLL_INTERVAL_MS.min, Math.min(POLL_INTERVAL_MS.max, tookMs / 5));
    await enqueueAgain(runtime, transaction, { instance, afterMs });
    return true;
  });
  if (!isMoved) await reconcileAgain(runtime, instance);
}

/** It changed during the command, e.g. it was terminated: nothing of the command may be left. */
async function reconcileAgain(runtime: InfrastructureRuntime, instance: ReconciledInstance): Promise<void> {
  await runtime.database.change((transaction) => enqueueAgain(runtime, transaction, { instance, afterMs: 0 }));
}

async function enqueueAgain(
  { jobs, now }: InfrastructureRuntime,
  transaction: Transaction,
  { instance, afterMs }: { readonly instance: ReconciledInstance; readonly afterMs: number },
): Promise<void> {
  const startAfter = new Date(now().getTime() + afterMs);
  const { userId, id, revision } = instance;
  await enqueueReconcile(transaction, jobs, { userId, id, revision, startAfter });
}

/** Retries after 2, 4, 8, … seconds. Gives the step up after MAX_ATTEMPTS, if it can be. */
async function countFault(runtime: InfrastructureRuntime, instance: ReconciledInstance, error: unknown): Promise<void> {
  const { state } = instance;
  const step = stepOf(state);
  const isTemporary = error instanceof HostUnreachable || /^(?:UNAVAILABLE|RATE_LIMITED)$/.test(errorCode(error) ?? '');
  if (isTemporary) return retryLater(runtime, instance, error);
  runtime.log.warn({ err: error, machine: instance.uuid, state }, 'the host refused');
  const attempts = await runtime.database.change(async (transaction) => {
    const counted = (await countAttempt(transaction, instance)) ?? 0;
    if (counted >= MAX_ATTEMPTS && step?.otherwise) return counted;
    const afterMs = 1_000 * 2 ** Math.min(counted, 8);
    await enqueueAgain(runtime, transaction, { instance, afterMs });
    return 0;
  });
  if (attempts === 0 || !step) return;
  const reason = messageForOwner(error) ?? 'The host refused the request.';
  await giveUp(
    runtime,
    instance,
    `The host could not ${step.doing} this virtual machine after ${attempts} attempts. ${reason}`,
  );
}

/** Retries while the host or another subgraph cannot be reached. Gives the step up after TIMEOUT_MS, if it can be. */
async function retryLater(runtime: InfrastructureRuntime, instance: ReconciledInstance, error: unknown): Promise<void> {
  const { uuid, state, attemptedAt } = instance;
  const tookMs = runtime.now().getTime() - attemptedAt.getTime();
  runtime.log.warn({ err: error, machine: uuid, state }, 'the host or another subgraph is away');
  // No pass looks at a machine that reboots.
  await pauseBilling(runtime, instance);
  const step = stepOf(state);
  if (tookMs > TIMEOUT_MS && step?.otherwise) return giveUp(runtime, instance, lateReason(error, step.doing));
  const afterMs = Math.max(2_000, Math.min(60_000, tookMs / 5));
  await runtime.database.change((transaction) => enqueueAgain(runtime, transaction, { instance, afterMs }));
}

function lateReason(error: unknown, verb: string): string {
  const doing = `${verb} this virtual machine.`;
  const reason = messageForOwner(error);
  if (reason) return `It took too long to ${doing} ${reason}`;
  const isDenied = error instanceof HostUnreachable && (error.status === 401 || error.status === 403);
  return isDenied ? `The host does not let the platform ${doing}` : `The host could not be reached to ${doing}`;
}

/** The message of an error that owners may read; undefined for others. */
function messageForOwner(error: unknown): string | undefined {
  const isPublic = error instanceof ProviderFault || errorCode(error) !== undefined;
  return error instanceof Error && isPublic ? error.message : undefined;
}

async function giveUp(runtime: InfrastructureRuntime, instance: ReconciledInstance, error: string): Promise<void> {
  const { database, jobs, now } = runtime;
  const { userId, id, state: from, revision } = instance;
  const to = stepOf(from)?.otherwise;
  if (!to) return;
  const desired = to === 'stopped' ? { desired: to } : {};
  const isMoved = await database.change((transaction) =>
    transitionInstance(transaction, jobs, { userId, id, from, revision, to, error, ...desired }, now()),
  );
  if (!isMoved) await reconcileAgain(runtime, instance);
}
