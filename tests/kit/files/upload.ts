import { blake3 } from '@noble/hashes/blake3.js';
import { randomBytes, randomUUID } from 'node:crypto';
import { manifestFor, send, type RawReply } from './bytes.js';
import { call, platform, type Json, type Reply } from '../platform.js';
import type { SignedIn } from '../accounts/wallet.js';

/** Matches any string. Not `expect.any`, because benches use this file without Jest. */
const A_SENTENCE = {
  $$typeof: Symbol.for('jest.asymmetricMatcher'),
  asymmetricMatch: (text: unknown) => typeof text === 'string' && /\S/.test(text),
  toString: () => 'a sentence',
  toAsymmetricMatcher: () => 'a sentence',
};

/** Returns an error body of the folder-sync API. */
export function refused(error: string): object {
  return { Error: { error, message: A_SENTENCE } };
}

/** A file for an upload in chunks. */
export interface Plan {
  readonly user: SignedIn;
  readonly bytes?: Buffer;
  readonly chunkSize?: number;
  /** Replaces fields of the manifest. */
  readonly manifest?: Json;
  readonly url?: string;
}

/** An upload over REST, as clients do it. */
export class TestUpload {
  private constructor(
    readonly plan: Required<Plan>,
    readonly id: string,
  ) {}

  /** Opens a session, by default for 5000 random bytes in chunks of 1024. @throws when it fails */
  static async open(given: Plan): Promise<TestUpload> {
    const { user, bytes = randomBytes(5000), chunkSize = 1024, url = platform().url } = given;
    const manifest = { ...manifestFor(user, randomUUID(), blake3(bytes)), ...given.manifest };
    const plan = { user, bytes, chunkSize, url, manifest };
    const { status, body } = await openSession(plan);
    if (status !== 200) throw new Error(`the session was refused: ${status} ${JSON.stringify(body)}`);
    return new TestUpload(plan, body.Success.session_id);
  }

  /** Returns the same upload at a restarted platform. */
  at(url: string): TestUpload {
    return new TestUpload({ ...this.plan, url }, this.id);
  }

  get chunkCount(): number {
    return countOf(this.plan);
  }

  /** Returns the bytes of a chunk. */
  chunk(index: number): Buffer {
    const { bytes, chunkSize } = this.plan;
    return bytes.subarray(index * chunkSize, (index + 1) * chunkSize);
  }

  put(index: number | string, given: { bytes?: Buffer; token?: string; headers?: Record<string, string> } = {}) {
    const { bytes = this.chunk(Number(index)), token = this.plan.user.token, headers } = given;
    return send(`PUT /upload/session/${this.id}/chunk/${index}`, bytes, {
      token,
      url: this.plan.url,
      headers: { 'content-type': 'application/octet-stream', 'content-length': bytes.length, ...headers },
    });
  }

  /** Sends these chunks at once; all of them by default. */
  putAll(indices: readonly number[] = [...Array(this.chunkCount).keys()]): Promise<RawReply[]> {
    return Promise.all(indices.map((index) => this.put(index)));
  }

  status(token?: string): Promise<Reply> {
    return this.call('GET', '/status', token);
  }

  finalize(token?: string): Promise<Reply> {
    return this.call('POST', '/finalize', token);
  }

  delete(token?: string): Promise<Reply> {
    return this.call('DELETE', '', token);
  }

  private call(method: string, path: string, token = this.plan.user.token): Promise<Reply> {
    return call(`${method} /upload/session/${this.id}${path}`, { token, url: this.plan.url });
  }
}

function countOf({ bytes, chunkSize }: Pick<Required<Plan>, 'bytes' | 'chunkSize'>): number {
  return Math.max(1, Math.ceil(bytes.length / chunkSize));
}

/** Opens a session. @param layout replaces the chunk layout of the bytes */
export function openSession(
  { user, bytes, chunkSize, manifest, url }: Required<Plan>,
  layout: Json = {},
): Promise<Reply> {
  const fitting = { chunk_count: countOf({ bytes, chunkSize }), chunk_size: chunkSize, ciphertext_size: bytes.length };
  return call('POST /upload/session', { token: user.token, url, body: { manifest, ...fitting, ...layout } });
}
