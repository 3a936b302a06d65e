import { blake3 } from '@noble/hashes/blake3.js';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { call, platform, type Json } from '../platform.js';
import type { SignedIn } from '../accounts/wallet.js';

const MIB = 1024 * 1024;
const FOLDER_HASH = '37a8eec1ce19687d';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');

/** Returns a signed manifest of a new file. @param hash BLAKE3 of the ciphertext; any value for a file that is never finalized */
export function manifestFor(user: SignedIn, path: string, hash = blake3(Buffer.from(path))): Json {
  const ciphertextHash = Buffer.from(hash).toString('hex');
  const sentence = `I here by declare that the file with hash ${ciphertextHash} that i am uploading is in par with the ToS of the provider`;
  return {
    ss58_address: user.substrateAddress,
    folder_hash: FOLDER_HASH,
    ciphertext_hash: ciphertextHash,
    size_bytes: 5,
    timestamp: 1_700_000_000,
    ...signed(sentence),
    path_hash: [...blake3(Buffer.from(path))],
    salted_hash: [...blake3(Buffer.from(user.substrateAddress + path))],
    revision_seq: 1,
    base_revision_id: null,
    encrypted_path: [1, 2, 3],
    file_name: null,
    relative_path: null,
  };
}

/** Signs a text with the test key. Returns the fields of the signature. */
export function signed(sentence: string): { signature: number[]; signing_key: number[] } {
  return {
    signature: [...sign(null, Buffer.from(sentence), privateKey)],
    signing_key: [...Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')],
  };
}

/** Returns the download path of the file of a manifest. */
export function downloadPath({ ss58_address, folder_hash, path_hash }: Json): string {
  return `/download/${ss58_address}/${folder_hash}/${Buffer.from(path_hash).toString('hex')}`;
}

interface SessionShape {
  readonly chunks?: number;
  readonly chunkSize?: number;
  readonly url?: string;
}

/** Opens an upload session with chunks of equal length. Returns the path of its chunks. */
export async function openChunks(
  user: SignedIn,
  { chunks = 1, chunkSize = 16 * MIB, url = platform().url }: SessionShape = {},
): Promise<string> {
  const manifest = manifestFor(user, createHash('sha256').update(`${Math.random()}`).digest('hex'));
  const layout = { chunk_count: chunks, chunk_size: chunkSize, ciphertext_size: chunks * chunkSize };
  const { body } = await call('POST /upload/session', { token: user.token, body: { manifest, ...layout }, url });
  return `/upload/session/${body.Success.session_id}/chunk`;
}

export interface RawReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly body: Json;
}

interface RawCall {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly url?: string;
}

/** Starts a request on a new connection. The test sends the body itself. */
export function begin(target: string, { token, headers, url = platform().url }: RawCall = {}): ClientRequest {
  const [method = 'GET', path = '/'] = target.split(/ (.*)/s);
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const begun = request(url + path, { method, agent: false, headers: { ...authorization, ...headers } });
  begun.on('error', () => undefined); // `replyTo` reports it
  return begun;
}

/** Waits for the whole reply. @throws when the connection ends without one */
export async function replyTo(begun: ClientRequest): Promise<RawReply> {
  const [response] = (await once(begun, 'response')) as [IncomingMessage];
  const bytes = Buffer.concat(await response.toArray());
  const isFile = response.headers['content-type'] === 'application/octet-stream';
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    bytes,
    body: isFile ? undefined : parse(bytes),
  };
}

/** Sends a request with this body. */
export async function send(target: string, bytes: Buffer | undefined, options: RawCall = {}): Promise<RawReply> {
  const begun = begin(target, options);
  const reply = replyTo(begun);
  begun.end(bytes);
  return reply;
}

function parse(bytes: Buffer): Json {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** A part of a form. */
export interface Part {
  readonly name: string;
  readonly fileName?: string;
  readonly type?: string;
  readonly bytes: Buffer | string;
}

export const FORM_TYPE = 'multipart/form-data; boundary=the-boundary';

/** Encodes a multipart form. @param isWhole false omits the closing boundary */
export function formOf(parts: readonly Part[], isWhole = true): Buffer {
  const pieces = parts.map(({ name, fileName, type, bytes }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`;
    const content = type === undefined ? '' : `\r\nContent-Type: ${type}`;
    const head = `--the-boundary\r\nContent-Disposition: form-data; name="${name}"${file}${content}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from('\r\n')]);
  });
  const form = Buffer.concat([...pieces, Buffer.from('--the-boundary--\r\n')]);
  return isWhole ? form : form.subarray(0, -25);
}
