import { blake3 } from '@noble/hashes/blake3.js';
import { randomBytes, randomUUID } from 'node:crypto';
import { downloadPath, FORM_TYPE, formOf, manifestFor, send, type RawReply } from './bytes.js';
import { platform, type Json } from '../platform.js';
import type { SignedIn } from '../accounts/wallet.js';

interface FileOptions {
  readonly bytes?: Buffer;
  readonly path?: string;
  /** Replaces fields of the manifest. */
  readonly manifest?: Json;
  readonly url?: string;
}

/** An uploaded file and the response of its upload. */
export interface Stored {
  readonly bytes: Buffer;
  readonly manifest: Json;
  readonly reply: RawReply;
}

/** Uploads random bytes in one request, 1000 by default. The server knows their path. */
export async function storeFile(user: SignedIn, options: FileOptions = {}): Promise<Stored> {
  const { bytes = randomBytes(1000), path = `docs/${randomUUID()}.txt`, url = platform().url } = options;
  const names = { relative_path: path, file_name: path.split('/').at(-1), size_bytes: bytes.length };
  const manifest = { ...manifestFor(user, path, blake3(bytes)), ...names, ...options.manifest };
  const parts = [
    { name: 'manifest', type: 'application/json', bytes: JSON.stringify(manifest) },
    { name: 'ciphertext', type: 'application/octet-stream', bytes },
  ];
  const headers = { 'content-type': FORM_TYPE };
  return { bytes, manifest, reply: await send('POST /upload', formOf(parts), { token: user.token, url, headers }) };
}

/** Downloads the file. */
export function download(user: SignedIn, { manifest }: Stored): Promise<RawReply> {
  return send(`GET ${downloadPath(manifest)}`, undefined, { token: user.token });
}
