import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { S3Writer } from '../../../subgraphs/sync/blob-store/store/bucket-writer.js';

const MIB = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

/** A store that takes all bytes and does not answer. */
const silent = {
  send: (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
    new Promise((_resolve, reject) => abortSignal.addEventListener('abort', () => reject(new Error('aborted')))),
} as unknown as S3Client;

function writerTo(client: S3Client, length?: number): S3Writer {
  const events = { remove: () => new Promise<void>(() => undefined), fault: () => undefined };
  return new S3Writer(client, { Bucket: 'b', Key: 'k' }, length, events);
}

/** Writes the bytes in pieces, as a socket delivers them. */
function write(writer: S3Writer, bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    const piece = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, bytes.length - start));
    bytes.copy(piece, 0, start);
    pieces.push(piece);
    expect(writer.write(piece)).toBe(true);
  }
  return pieces;
}

describe('an object that is sent when it is complete', () => {
  it('is joined in the memory of its pieces', async () => {
    const sent: unknown[] = [];
    const client = {
      send: async ({ input }: PutObjectCommand) => void sent.push(input.Body, input.ContentLength),
    } as unknown as S3Client;
    const bytes = randomBytes(5 * PIECE_BYTES + 7);
    const writer = writerTo(client);
    const pieces = write(writer, bytes);
    await writer.commit();
    expect(sent).toEqual([bytes, bytes.length]);
    expect(pieces.map(({ length }) => length)).toEqual(pieces.map(() => 0));
  });

  describe('to a store that does not answer', () => {
    beforeEach(() => {
      jest.useFakeTimers();
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    it.each([
      [1000, 12_001],
      [8 * MIB, 20_000],
    ])('of %i bytes fails after %i ms, without waiting for its removal', async (sizeBytes, timeoutMs) => {
      const writer = writerTo(silent);
      write(writer, randomBytes(sizeBytes));
      let outcome: unknown = 'pending';
      const commit = writer.commit().catch((error: unknown) => (outcome = error));
      await jest.advanceTimersByTimeAsync(timeoutMs - 10);
      expect(outcome).toBe('pending');
      await jest.advanceTimersByTimeAsync(10);
      await commit;
      expect(outcome).toMatchObject({ extensions: { reason: 'storage_inconsistency' } });
    });
  });
});
