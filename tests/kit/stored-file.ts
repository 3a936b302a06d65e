import { blake3 } from '@noble/hashes/blake3.js';
import { randomBytes, randomUUID } from 'node:crypto';
import { downloadPath, FORM_TYPE, formOf, manifestFor, send, type RawReply } from './bytes.js';
import { platform, type Json } from './platform.js';
import type { SignedIn } from './wallet.js';

interface Given {
  readonly bytes?: Buffer;
  readonly path?: string;
  /** In the place of what the manifest says. */
  readonly manifest?: Json;
  readonly url?: string;
}

/** A file as its client knows it, and what came of its upload in one go. */
export interface Stored {
  readonly bytes: Buffer;
  readonly manifest: Json;
  readonly reply: RawReply;
}

/** Uploads random bytes in one go, 1000 unless said otherwise; their path is known to the server. */
export async function storeFile(user: SignedIn, given: Given = {}): Promise<Stored> {
  const { bytes = randomBytes(1000), path = `docs/${randomUUID()}.txt`, url = platform().url } = given;
  const names = { relative_path: path, file_name: path.split('/').at(-1), size_bytes: bytes.length };
  const manifest = { ...manifestFor(user, path, blake3(bytes)), ...names, ...given.manifest };
  const parts = [
    { name: 'manifest', type: 'application/json', bytes: JSON.stringify(manifest) },
    { name: 'ciphertext', type: 'application/octet-stream', bytes },
  ];
  const headers = { 'content-type': FORM_TYPE };
  return { bytes, manifest, reply: await send('POST /upload', formOf(parts), { token: user.token, url, headers }) };
}

/** Reads it again. */
export function download(user: SignedIn, { manifest }: Stored): Promise<RawReply> {
  return send(`GET ${downloadPath(manifest)}`, undefined, { token: user.token });
}
