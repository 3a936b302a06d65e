import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { Archipelago, newMnemonic, pathOf, PlatformError, sourceOf, walletOf } from '../../../sdk/src/index.js';
import type { Files, FolderKey, RemoteFile, Source, UploadRecord, UploadRecords } from '../../../sdk/src/index.js';
import { platform } from '../../kit/platform.js';

const MIB = 1024 * 1024;

let files: Files;
let key: FolderKey;
let token: string;
beforeAll(async () => {
  const phrase = newMnemonic();
  const account = await new Archipelago({ url: platform().url }).signIn(walletOf(phrase));
  ({ token } = account);
  files = new Archipelago({ url: platform().url, token }).files(account.substrateAddress);
  key = files.key(phrase, `folder ${randomUUID()}`);
  await files.register(key, 'a laptop');
});

const put = (relativePath: string, plaintext: Source, more: object = {}) =>
  files.upload({ folder: key, relativePath, plaintext, ...more });

async function get(fileId: string): Promise<Buffer> {
  const parts = [];
  for await (const part of files.download(key, fileId)) parts.push(part);
  return Buffer.concat(parts);
}

async function find(relativePath: string): Promise<RemoteFile> {
  for await (const file of files.list(key.folderHash)) if (file.relativePath === relativePath) return file;
  throw new Error(`${relativePath} is not listed`);
}

/** The status of the answer about an upload session. */
async function statusOf(sessionId: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${platform().url}/upload/session/${sessionId}/status`, { headers })).status;
}

/** Records in memory. */
function recordsInMemory(): UploadRecords & { readonly all: Map<string, UploadRecord> } {
  const all = new Map<string, UploadRecord>();
  return {
    all,
    get: async (name) => all.get(name),
    set: async (name, record) => void all.set(name, record),
    delete: async (name) => void all.delete(name),
  };
}

describe('a folder', () => {
  it('is listed with its label, also when it is registered twice', async () => {
    await files.register(key);
    expect(await files.folders()).toMatchObject([{ label: key.label, folderHash: key.folderHash }]);
  });
});

describe('an upload', () => {
  it.each([0, 1, 300_000])('of %d bytes comes back as it was', async (size) => {
    const bytes = randomBytes(size);
    const path = `small/${size}.bin`;
    await put(path, sourceOf(bytes));
    const file = await find(path);
    expect(file).toMatchObject({ sizeBytes: size, revision: { revisionSeq: 1 } });
    expect((await get(file.fileId)).equals(bytes)).toBe(true);
  });

  it('of more than a chunk goes by a session and reports its progress', async () => {
    const bytes = randomBytes(9 * MIB);
    const seen: number[] = [];
    await put('large.bin', sourceOf(bytes), { onProgress: (sent: number, total: number) => seen.push(sent / total) });
    expect(seen).toEqual([expect.any(Number), 1]);
    expect((await get((await find('large.bin')).fileId)).equals(bytes)).toBe(true);
  });

  it('that was interrupted goes on with the missing chunks', async () => {
    const bytes = randomBytes(20 * MIB);
    const records = recordsInMemory();
    const stop = new AbortController();
    const first = put('resumed.bin', sourceOf(bytes), {
      records,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('power cut')),
    });
    await expect(first).rejects.toThrow('power cut');
    expect(records.all.size).toBe(1);
    const sent: number[] = [];
    await put('resumed.bin', sourceOf(bytes), { records, onProgress: (done: number) => sent.push(done) });
    expect([sent.length < 3, records.all.size]).toEqual([true, 0]);
    expect((await get((await find('resumed.bin')).fileId)).equals(bytes)).toBe(true);
  });

  it('never encrypts a changed file with the nonce of the interrupted upload', async () => {
    const records = recordsInMemory();
    const stop = new AbortController();
    const options = { records, signal: stop.signal, onProgress: () => stop.abort(new Error('power cut')) };
    await expect(put('changed.bin', sourceOf(randomBytes(9 * MIB)), options)).rejects.toThrow('power cut');
    const [before] = [...records.all.values()];
    const bytes = randomBytes(9 * MIB);
    const again: string[] = [];
    const watched = {
      ...records,
      set: async (_name: string, { nonce }: UploadRecord) => void again.push(nonce),
    };
    await put('changed.bin', sourceOf(bytes), { records: watched });
    expect([again.length, again.includes(before?.nonce ?? '')]).toEqual([1, false]);
    expect((await get((await find('changed.bin')).fileId)).equals(bytes)).toBe(true);
  });

  it('with an old base is refused, and forgotten with its session', async () => {
    const base = await put('stale.bin', sourceOf(Buffer.from('one')));
    const present = await put('stale.bin', sourceOf(Buffer.from('two')), { base });
    const records = recordsInMemory();
    const sessions: string[] = [];
    const set = async (name: string, record: UploadRecord) => {
      sessions.push(record.sessionId);
      await records.set(name, record);
    };
    const plaintext = sourceOf(randomBytes(9 * MIB));
    await expect(put('stale.bin', plaintext, { base, records: { ...records, set } })).rejects.toMatchObject({
      status: 409,
      code: 'upload_conflict',
    });
    expect([records.all.size, await Promise.all(sessions.map(statusOf))]).toEqual([0, [404]]);
    await expect(put('stale.bin', plaintext, { base: present, records })).resolves.toMatchObject({ revisionSeq: 3 });
  });

  it('that was interrupted begins anew when the file got another revision', async () => {
    const base = await put('overtaken.bin', sourceOf(Buffer.from('one')));
    const records = recordsInMemory();
    const stop = new AbortController();
    const options = { base, records, signal: stop.signal, onProgress: () => stop.abort(new Error('power cut')) };
    const plaintext = sourceOf(randomBytes(9 * MIB));
    await expect(put('overtaken.bin', plaintext, options)).rejects.toThrow('power cut');
    const sessions = [...records.all.values()].map(({ sessionId }) => sessionId);
    const present = await put('overtaken.bin', sourceOf(Buffer.from('two')), { base });
    const again = put('overtaken.bin', plaintext, { base: present, records });
    await expect(again).resolves.toMatchObject({ revisionSeq: 3 });
    expect(await Promise.all(sessions.map(statusOf))).toEqual([404]);
  });

  it('that failed has ended: nothing of it is sent later, and its session is gone', async () => {
    const sessions = new Set<string>();
    let underWay = 0;
    const watched: typeof fetch = async (input, init) => {
      const [, sessionId] = /session\/(\w+)\/chunk/.exec(new Request(input).url) ?? [];
      if (sessionId !== undefined) sessions.add(sessionId);
      underWay++;
      return fetch(input, init).finally(() => underWay--);
    };
    const { owner } = files;
    const failed = new Archipelago({ url: platform().url, token, fetch: watched }).files(owner).upload({
      folder: key,
      relativePath: 'failed.bin',
      plaintext: sourceOf(randomBytes(20 * MIB)),
      onProgress: () => {
        throw new Error('the first failure');
      },
    });
    await expect(failed.finally(() => expect(underWay).toBe(0))).rejects.toThrow('the first failure');
    expect(await Promise.all([...sessions].map(statusOf))).toEqual([404]);
  });

  it('replaces the revision that it names and no other', async () => {
    await put('replaced.txt', sourceOf(Buffer.from('one')));
    const { revision } = await find('replaced.txt');
    await put('replaced.txt', sourceOf(Buffer.from('two')), { base: revision });
    await expect(put('replaced.txt', sourceOf(Buffer.from('three')), { base: revision })).rejects.toMatchObject({
      status: 409,
      code: 'conflict',
    });
    expect((await get((await find('replaced.txt')).fileId)).toString()).toBe('two');
  });
});

describe('a stored file', () => {
  it('is found, renamed and deleted', async () => {
    const name = `${randomUUID()}.txt`;
    await put(`old/${name}`, sourceOf(Buffer.from('text')));
    const {
      files: [found],
      totalCount,
    } = await files.search({ q: name, fileType: 'document' });
    expect([totalCount, found?.relativePath]).toEqual([1, `old/${name}`]);
    await files.rename(key, await find(`old/${name}`), `new/${name}`);
    const renamed = await find(`new/${name}`);
    expect([renamed.revision.revisionSeq, await pathOf({ ...renamed, relativePath: null }, key)]).toEqual([
      2,
      `new/${name}`,
    ]);
    await files.delete(key.folderHash, [renamed.fileId]);
    await expect(get(renamed.fileId)).rejects.toThrow(PlatformError);
  });
});
