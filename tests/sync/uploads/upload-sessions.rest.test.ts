import { beforeAll, describe, expect, it } from '@jest/globals';
import { blake3 } from '@noble/hashes/blake3.js';
import { randomBytes } from 'node:crypto';
import { refused, TestUpload } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { tally, twentyAtOnce } from '../../kit/rest/rest-checks.js';

const RESULT = {
  upload_id: expect.stringMatching(/\S/),
  timestamp: expect.any(Number),
  revision_id: expect.any(Array),
  created_at: expect.any(Number),
  updated_at: expect.any(Number),
};

let user: SignedIn;
beforeAll(async () => {
  user = await signIn();
});

const inAFewHours = (): number => Date.now() / 1000 + 23 * 3600;

describe('an upload session', () => {
  it('tells how it stands, to resume by', async () => {
    const upload = await TestUpload.open({ user });
    await upload.putAll([3, 0]);
    const { status, body } = await upload.status();
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        Success: {
          session_id: upload.id,
          state: 'receiving',
          total_chunks: 5,
          chunks_received: [0, 3],
          expires_at: expect.any(Number),
          ciphertext_hash: upload.plan.manifest.ciphertext_hash,
        },
      },
    });
    expect(body.Success.expires_at).toBeGreaterThan(inAFewHours());
  });

  it.each([
    ['multiples of 1024, in any order', 10_000, 2048],
    ['no multiples of 1024', 10_000, 1000],
    ['as many as make one', 10_000, 16 * 1024 * 1024],
    ['with a last one of one byte', 4097, 1024],
    ['all of the same size', 8192, 1024],
    ['of one byte each', 20, 1],
    ['no multiples of 1024, and large', 1_000_000, 100_001],
    ['of a megabyte', 3_500_000, 1024 * 1024],
  ])('writes the file of chunks that are %s', async (_, length, chunkSize) => {
    const upload = await TestUpload.open({ user, bytes: randomBytes(length), chunkSize });
    const replies = await upload.putAll([...Array(upload.chunkCount).keys()].toReversed());
    expect(tally(replies)).toEqual({ 200: upload.chunkCount });
    const { status, body } = await upload.finalize();
    expect({ status, body }).toEqual({ status: 200, body: { Success: RESULT } });
    expect(body.Success.revision_id).toHaveLength(32);
  });

  it('takes a file of nothing', async () => {
    const upload = await TestUpload.open({ user, bytes: Buffer.alloc(0) });
    await upload.put(0);
    expect((await upload.finalize()).status).toBe(200);
  });

  it('repeats its result when it is finalized again, and lists all chunks', async () => {
    const upload = await TestUpload.open({ user });
    await upload.putAll();
    const first = await upload.finalize();
    const second = await upload.finalize();
    const { body } = await upload.status();
    expect(second.body).toEqual(first.body);
    expect(body.Success).toMatchObject({ state: 'finalized', chunks_received: [0, 1, 2, 3, 4] });
  });

  it.each([1024, 1000])('writes once when finalized twenty times at once, by chunks of %d', async (chunkSize) => {
    const upload = await TestUpload.open({ user, chunkSize });
    await upload.putAll();
    const replies = await twentyAtOnce(() => upload.finalize());
    expect(tally(replies)).toEqual({ 200: 20 });
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });

  it('keeps the last of a chunk that is sent again', async () => {
    const upload = await TestUpload.open({ user });
    await upload.put(1, { bytes: randomBytes(1024) });
    await upload.putAll();
    const { body } = await upload.status();
    expect(body.Success.chunks_received).toEqual([0, 1, 2, 3, 4]);
    expect((await upload.finalize()).status).toBe(200);
  });

  it('takes the same chunk many times at once', async () => {
    const upload = await TestUpload.open({ user });
    const replies = await twentyAtOnce(() => upload.put(2));
    await upload.putAll();
    expect(tally(replies)).toEqual({ 200: 20 });
    expect((await upload.finalize()).status).toBe(200);
  });

  it.each([1024, 1000])('goes on after a hash that did not match, by chunks of %d', async (chunkSize) => {
    const upload = await TestUpload.open({ user, chunkSize });
    await upload.putAll();
    await upload.put(2, { bytes: randomBytes(chunkSize) });
    const { status, body } = await upload.finalize();
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
    expect((await upload.status()).body.Success.state).toBe('receiving');
    await upload.put(2);
    expect((await upload.finalize()).status).toBe(200);
  });

  it('refuses to finalize while chunks are missing', async () => {
    const upload = await TestUpload.open({ user });
    await upload.putAll([0, 1, 2, 4]);
    const { status, body } = await upload.finalize();
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
  });

  it('takes no chunk once it is finalized', async () => {
    const upload = await TestUpload.open({ user });
    await upload.putAll();
    await upload.finalize();
    const { status, body } = await upload.put(0);
    expect({ status, body }).toEqual({ status: 409, body: refused('conflict') });
  });

  it('is gone when it is deleted, which can be repeated', async () => {
    const upload = await TestUpload.open({ user });
    await upload.putAll();
    const [first, second] = [await upload.delete(), await upload.delete()];
    expect([first, second].map(({ status, body }) => ({ status, body }))).toEqual(
      Array.from({ length: 2 }, () => ({ status: 200, body: { Success: { deleted: true } } })),
    );
    const replies = [await upload.status(), await upload.finalize(), await upload.put(0)];
    expect(replies.map(({ status, body }) => ({ status, body }))).toEqual(
      Array.from({ length: 3 }, () => ({ status: 404, body: refused('not_found') })),
    );
  });

  it('that is deleted while chunks come leaves none of them', async () => {
    const upload = await TestUpload.open({ user, bytes: randomBytes(40 * 1024) });
    const [replies] = await Promise.all([upload.putAll(), upload.delete()]);
    const others = replies.filter(({ status }) => status !== 200 && status !== 404);
    expect(others.map(({ status }) => status)).toEqual([]);
    expect((await upload.status()).status).toBe(404);
  });

  it('that is finalized while a chunk comes again writes the chunks that it listed', async () => {
    const upload = await TestUpload.open({ user });
    await upload.putAll();
    const [finalized, ...chunks] = await Promise.all([
      upload.finalize(),
      ...Array(10)
        .fill(3)
        .map((i) => upload.put(i)),
    ]);
    expect(finalized?.status).toBe(200);
    expect(chunks.every(({ status }) => status === 200 || status === 409)).toBe(true);
  });
});

describe('the base of a revision', () => {
  const uploadOf = async (manifest: object) => {
    const upload = await TestUpload.open({ user, manifest });
    await upload.putAll();
    return upload.finalize();
  };

  it('must be the present revision, which a 409 tells', async () => {
    const path_hash = [...randomBytes(32)];
    const first = await uploadOf({ path_hash });
    const stale = await uploadOf({ path_hash, revision_seq: 2, base_revision_id: [...randomBytes(32)] });
    expect({ status: stale.status, body: stale.body }).toEqual({
      status: 409,
      body: {
        Error: {
          error: 'upload_conflict',
          message: expect.stringMatching(/\S/),
          current_revision_id: first.body.Success.revision_id,
          current_revision_seq: 1,
        },
      },
    });
    const next = await uploadOf({ path_hash, revision_seq: 2, base_revision_id: first.body.Success.revision_id });
    expect(next.status).toBe(200);
    expect(next.body.Success.created_at).toBe(first.body.Success.created_at);
  });

  it('must be null for a new file, and only for one', async () => {
    const path_hash = [...randomBytes(32)];
    const early = await uploadOf({ path_hash, base_revision_id: [...randomBytes(32)] });
    await uploadOf({ path_hash });
    const again = await uploadOf({ path_hash, revision_seq: 2 });
    expect([early.status, again.status]).toEqual([409, 409]);
  });

  it('comes before the sequence, which must grow', async () => {
    const path_hash = [...randomBytes(32)];
    const first = await uploadOf({ path_hash });
    const same = { path_hash, base_revision_id: first.body.Success.revision_id };
    const { status, body } = await uploadOf(same);
    expect({ status, body }).toEqual({ status: 400, body: refused('stale_sequence') });
  });

  it('comes before the hash', async () => {
    const path_hash = [...randomBytes(32)];
    await uploadOf({ path_hash });
    const upload = await TestUpload.open({ user, manifest: { path_hash } });
    await upload.putAll();
    await upload.put(0, { bytes: randomBytes(1024) });
    expect((await upload.finalize()).status).toBe(409);
  });

  it('lets one of two replacements in', async () => {
    const path_hash = [...randomBytes(32)];
    const first = await uploadOf({ path_hash });
    const base_revision_id = first.body.Success.revision_id;
    const uploads = await Promise.all(
      [2, 3].map((revision_seq) => TestUpload.open({ user, manifest: { path_hash, base_revision_id, revision_seq } })),
    );
    await Promise.all(uploads.map((upload) => upload.putAll()));
    const replies = await Promise.all(uploads.map((upload) => upload.finalize()));
    expect(tally(replies)).toEqual({ 200: 1, 409: 1 });
  });
});

describe('X-Chunk-BLAKE3', () => {
  it('lets a chunk in that has it', async () => {
    const upload = await TestUpload.open({ user });
    const hash = Buffer.from(blake3(upload.chunk(1))).toString('hex');
    expect((await upload.put(1, { headers: { 'x-chunk-blake3': hash } })).status).toBe(200);
  });

  it('names a chunk that has another, which is not kept', async () => {
    const upload = await TestUpload.open({ user });
    const { status, body } = await upload.put(1, { headers: { 'x-chunk-blake3': '00'.repeat(32) } });
    expect({ status, body }).toEqual({
      status: 400,
      body: { Error: { error: 'invalid_manifest', message: expect.stringContaining('Chunk 1 ') } },
    });
    expect((await upload.status()).body.Success.chunks_received).toEqual([]);
  });

  it('must be 64 hex digits', async () => {
    const upload = await TestUpload.open({ user });
    expect((await upload.put(1, { headers: { 'x-chunk-blake3': 'abc' } })).status).toBe(400);
  });
});
