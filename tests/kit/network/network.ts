import { generateKeyPairSync } from 'node:crypto';
import { call, type Json, type Reply } from '../platform.js';
import type { SignedIn } from '../accounts/wallet.js';

/** Creates an x25519 public key of 32 bytes. */
export function newPublicKey(): Buffer {
  return generateKeyPairSync('x25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
}

/** Enrolls a peer. Returns the enrollment. */
export async function enroll({ token }: SignedIn, body: object = {}, url?: string): Promise<Json> {
  const reply = await call('POST /api/network/peers/enroll/', { token, body, ...(url !== undefined && { url }) });
  return reply.body;
}

/** Joins as a machine does. @param publicKey base64 */
export function join(setupKey: string, publicKey = newPublicKey().toString('base64'), url?: string): Promise<Reply> {
  const body = { setup_key: setupKey, public_key: publicKey };
  return call('POST /api/network/join/', { body, ...(url !== undefined && { url }) });
}

/** Enrolls a peer and joins with its machine. Returns the response of the join. */
export async function enrolledMachine(user: SignedIn, body: object = {}, url?: string): Promise<Json> {
  const { setup_key } = await enroll(user, body, url);
  return (await join(setup_key, undefined, url)).body;
}

interface ConfigurationQuestion {
  /** The hash of the configuration that the machine has. */
  readonly known?: string;
  readonly waitSeconds?: number;
  readonly url?: string;
}

/** Requests the configuration of the machine. */
export function configurationOf(
  peerToken: string,
  { known, waitSeconds = 0, url }: ConfigurationQuestion = {},
): Promise<Reply> {
  return call(`GET /api/network/configuration/?wait=${waitSeconds}`, {
    headers: { 'peer-token': peerToken, ...(known !== undefined && { 'if-none-match': `"${known}"` }) },
    ...(url !== undefined && { url }),
  });
}

/** Returns the hash of a configuration response. */
export function hashOf({ headers }: Reply): string {
  return headers.get('etag')?.slice(1, -1) ?? '';
}

/** Reports the configuration that the machine runs. */
export function report(peerToken: string, body: object, url?: string): Promise<Reply> {
  return call('POST /api/network/report/', {
    headers: { 'peer-token': peerToken },
    body,
    ...(url !== undefined && { url }),
  });
}
