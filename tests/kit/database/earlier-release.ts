import { blake3 } from '@noble/hashes/blake3.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../../kernel/package-root.js';
import { downloadPath, send } from '../files/bytes.js';
import type { Json } from '../platform.js';
import { signIn, type SignedIn } from '../accounts/wallet.js';

/** Returns the path of a recording in tests/kernel/backup, without its ending. */
export function recordingOf(name: string): string {
  return join(packageRoot(), 'tests/kernel/backup', name);
}

/** Reads what the platform of an earlier release answered. */
export async function answersOf(name: string): Promise<Json> {
  return JSON.parse(await readFile(`${recordingOf(name)}.json`, 'utf8'));
}

/** Signs in with the recorded wallet. */
export function signInAgain({ wallet }: Json, url: string): Promise<SignedIn> {
  return signIn({ ...wallet, secretKey: Buffer.from(wallet.secretKey, 'hex') }, url);
}

/** Returns the figures that `npm run ledger:prove` printed. */
export function figuresIn(proof: string): Record<string, string> {
  return Object.fromEntries([...proof.matchAll(/^(\w+) +(\S+)$/gm)].map(([, name, figure]) => [name, figure]));
}

/** Downloads the recorded files. Returns their hashes. */
export function hashesOf({ files }: Json, token: string, url: string): Promise<string[]> {
  const hashes = files.map(async (file: Json) => {
    const path = downloadPath({ ...file, path_hash: [...Buffer.from(file.path_hash, 'hex')] });
    const { bytes } = await send(`GET ${path}`, undefined, { token, url });
    return Buffer.from(blake3(bytes)).toString('hex');
  });
  return Promise.all(hashes);
}

/** A line that the earlier release does not write. */
const NEW_LINE = '  default_local_cidr_any: true\n';

/** Returns the part of a configuration that is the same after a renewal of the certificate, as the earlier release writes it. */
export function withoutCertificate(configuration: string): string {
  return configuration.slice(configuration.indexOf('static_host_map:')).replace(NEW_LINE, '');
}

/** Paths that answer what the owner of a private network has configured. */
export const NETWORK_PATHS = [
  '/api/network/me/',
  '/api/network/groups/',
  '/api/network/policies/',
  '/api/network/networks/',
  '/api/network/networks/1/resources/',
] as const;
