import { blake3 } from '@noble/hashes/blake3.js';
import { randomBytes, randomUUID } from 'node:crypto';
import { manifestFor, send, type RawReply } from './bytes.js';
import { call, platform, type Json, type Reply } from './platform.js';
import type { SignedIn } from './wallet.js';

/** Equals any sentence; made by hand, as Jest's own cannot be had outside of it, where measurements use this file. */
const A_SENTENCE = {
  $$typeof: Symbol.for('jest.asymmetricMatcher'),
  asymmetricMatch: (text: unknown) => typeof text === 'string' && /\S/.test(text),
  toString: () => 'a sentence',
  toAsymmetricMatcher: () => 'a sentence',
};

/** A refusal in the folder-sync document's words. */
export function refused(error: string): object {
  return { Error: { error, message: A_SENTENCE } };
}

/** A file to be uploaded in chunks. */
export interface Plan {
  readonly user: SignedIn;
  readonly bytes?: Buffer;
  readonly chunkSize?: number;
  /** In the place of what the manifest says. */
  readonly manifest?: Json;
  readonly url?: string;
}

/** One upload as a client makes it, over REST. */
export class TestUpload {
  private constructor(
    readonly plan: Required<Plan>,
    readonly id: string,
  ) {}

  /** Opens a session for 5000 random bytes in chunks of 1024 unless said otherwise. @throws when it is refused */
  static async open(given: Plan): Promise<TestUpload> {
    const { user, bytes = randomBytes(5000), chunkSize = 1024, url = platform().url } = given;
    const manifest = { ...manifestFor(user, randomUUID(), blake3(bytes)), ...given.manifest };
    const plan = { user, bytes, chunkSize, url, manifest };
    const { status, body } = await openSession(plan);
    if (status !== 200) throw new Error(`the session was refused: ${JSON.stringify(body)}`);
    return new TestUpload(plan, body.Success.session_id);
  }

  /** The same upload at a platform that was started again. */
  at(url: string): TestUpload {
    return new TestUpload({ ...this.plan, url }, this.id);
  }

  get chunkCount(): number {
    return countOf(this.plan);
  }

  /** The bytes of a chunk. */
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

  /** Sends these chunks, all unless said otherwise, at once. */
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

/** Asks for a session. @param layout in the place of what fits the bytes */
export function openSession(
  { user, bytes, chunkSize, manifest, url }: Required<Plan>,
  layout: Json = {},
): Promise<Reply> {
  const fitting = { chunk_count: countOf({ bytes, chunkSize }), chunk_size: chunkSize, ciphertext_size: bytes.length };
  return call('POST /upload/session', { token: user.token, url, body: { manifest, ...fitting, ...layout } });
}
