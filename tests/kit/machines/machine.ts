import { setTimeout as delay } from 'node:timers/promises';
import { call, type Json, type Reply } from '../platform.js';
import { grant, setRoles, signIn, type SignedIn } from '../accounts/wallet.js';

/** A valid public key; its private key does not exist. */
export const SSH_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f tester@example';

/** A body that a spawn accepts: the first flavor and image of the catalogue. */
export const SPAWN = { flavor_id: 1, image_id: 3, ssh_public_key: SSH_KEY } as const;

/** Signs in a user with the role BETA and these credits. */
export async function signInToBeta(credits = '100'): Promise<SignedIn> {
  const user = await signIn();
  await setRoles(user.substrateAddress, ['BETA']);
  if (credits !== '0') await grant(user, credits);
  return user;
}

interface SpawnOptions {
  readonly body?: Readonly<Record<string, unknown>>;
  readonly key?: string;
  readonly url?: string;
}

/** Creates a machine. */
export function spawn(
  { token }: { readonly token: string },
  { body = {}, key, url }: SpawnOptions = {},
): Promise<Reply> {
  return call('POST /api/infrastructure/vm/spawn/', {
    token,
    body: { ...SPAWN, ...body },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    ...(url !== undefined && { url }),
  });
}

interface RequestOptions {
  readonly token: string;
  readonly url?: string;
}

/** Returns the details of a machine. */
export async function machineOf(id: number | string, options: RequestOptions): Promise<Json> {
  return (await call(`GET /api/infrastructure/vm/instances/${id}/`, options)).body;
}

/** Sends a command to a machine, as clients do. */
export function command(id: number | string, word: string, options: RequestOptions): Promise<Reply> {
  return call(`POST /api/infrastructure/vm/instances/${id}/${word}/`, { ...options, body: {} });
}

/** Waits until the machine has this status; fails after 25 s. */
export async function machineIn(status: string, id: number | string, options: RequestOptions): Promise<Json> {
  const deadlineMs = Date.now() + 25_000;
  for (;;) {
    const machine = await machineOf(id, options);
    if (machine.status === status) return machine;
    if (Date.now() > deadlineMs) throw new Error(`the machine is ${machine.status}, not ${status}`);
    await delay(50);
  }
}

/** Returns a running machine, of a new user by default. */
export async function runningMachine(user?: SignedIn): Promise<{ readonly user: SignedIn; readonly machine: Json }> {
  const owner = user ?? (await signInToBeta());
  const { body } = await spawn(owner);
  return { user: owner, machine: await machineIn('running', body.id, owner) };
}
