import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { send } from '../../kit/files/bytes.js';
import type { Json } from '../../kit/platform.js';
import { DEFAULT_HASH, following, stateOf, store, tryUpload, type StoredFile } from '../../kit/files/sync.js';
import { refused } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
let file: StoredFile;
beforeEach(async () => {
  user = await signIn();
  file = await store(user, 'a.txt');
});

async function replace(manifest: Json) {
  const { status, body } = await tryUpload(user, 'a.txt', { manifest });
  return { status, body };
}

function conflict({ revisionId, revisionSeq }: StoredFile): object {
  return {
    status: 409,
    body: {
      Error: {
        error: 'conflict',
        message: expect.stringMatching(/\S/),
        current_revision_id: revisionId,
        current_revision_seq: revisionSeq,
      },
    },
  };
}

const STALE = { status: 400, body: refused('stale_sequence') };
const RANDOM = [...randomBytes(32)];

describe('the base of an upload', () => {
  it('replaces the file when it is the present revision', async () => {
    const bytes = randomBytes(70);
    const next = await store(user, 'a.txt', { bytes, manifest: following(file) });
    expect(next.revisionId).not.toEqual(file.revisionId);
    const { body } = await stateOf(user);
    expect(body.Success.files).toMatchObject([{ revision_id: next.revisionId, revision_seq: 2, size_bytes: 70 }]);
    const path = `/download/${user.substrateAddress}/${DEFAULT_HASH}/${file.fileId}`;
    const { bytes: kept } = await send(`GET ${path}`, undefined, { token: user.token });
    expect(kept.equals(bytes)).toBe(true);
  });

  it('keeps the time when the file was new', async () => {
    const [{ created_at }] = (await stateOf(user)).body.Success.files;
    const { body } = await replace(following(file));
    expect(body.Success.created_at).toBe(created_at);
  });

  it('may be far behind in sequence', async () => {
    expect(await replace(following(file, { revision_seq: 1000 }))).toMatchObject({ status: 200 });
  });

  it('is a conflict when it is null and there is a file', async () => {
    expect(await replace({ revision_seq: 2 })).toEqual(conflict(file));
  });

  it('is a conflict when it is another revision', async () => {
    expect(await replace(following(file, { base_revision_id: RANDOM }))).toEqual(conflict(file));
  });

  it('is a conflict when it is the former revision, and tells the present one', async () => {
    const next = await store(user, 'a.txt', { manifest: following(file) });
    expect(await replace(following(file, { revision_seq: 3 }))).toEqual(conflict(next));
  });

  it('is a conflict when there is no file', async () => {
    const { status, body } = await tryUpload(user, 'b.txt', {
      manifest: { base_revision_id: RANDOM, revision_seq: 2 },
    });
    expect({ status, body }).toMatchObject({ status: 409, body: { Error: { error: 'conflict' } } });
  });

  it('comes before the sequence when both are wrong', async () => {
    expect(await replace({ base_revision_id: RANDOM, revision_seq: 1 })).toEqual(conflict(file));
  });

  it('is told early, though many bytes are on their way', async () => {
    const { status, body } = await tryUpload(user, 'a.txt', { bytes: randomBytes(20 * 1024 * 1024) });
    expect({ status, body }).toEqual(conflict(file));
  });

  it('comes after the signature', async () => {
    const { status, body } = await replace({ base_revision_id: RANDOM, signature: [...randomBytes(64)] });
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
  });
});

describe('the sequence of an upload', () => {
  it.each([0, 1])('is stale at %i when the present one is 1', async (revision_seq) => {
    expect(await replace(following(file, { revision_seq }))).toEqual(STALE);
    expect((await stateOf(user)).body.Success.files).toMatchObject([{ revision_id: file.revisionId }]);
  });

  it('may be as large as 64 bits allow, and is told exactly', async () => {
    const largest = '9223372036854775807';
    expect(await replace(following(file, { revision_seq: largest }))).toMatchObject({ status: 200 });
    expect((await stateOf(user)).text).toContain(largest);
    const { status, bytes } = await tryUpload(user, 'a.txt');
    const exact = expect.stringContaining(`"current_revision_seq":${largest}`);
    expect({ status, text: bytes.toString() }).toEqual({ status: 409, text: exact });
  });
});
