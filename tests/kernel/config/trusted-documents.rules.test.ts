import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../../kernel/config/environment.js';
import { platformConfig } from '../../kit/config.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archipelago-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;
async function manifest(text: string): Promise<string> {
  const file = join(folder, `${files++}.json`);
  await writeFile(file, text);
  return file;
}
const apollo = (version: number, ...operations: readonly object[]) =>
  JSON.stringify({ format: 'apollo-persisted-query-manifest', version, operations });

const read = (value: string) => platformConfig({ TRUSTED_DOCUMENTS: value }).trustedDocuments;

describe('TRUSTED_DOCUMENTS', () => {
  it('is not set: any document', () => {
    expect(read('')).toBeUndefined();
  });

  it('names manifests of Apollo and objects of documents by hash', async () => {
    const first = await manifest(apollo(1, { id: 'a', name: 'A', type: 'query', body: 'query A { a }' }));
    const second = await manifest('{"b": "{ b }", "a": "query A { a }"}');
    expect(read(`${first}, ${second}`)).toEqual(new Map([['a', 'query A { a }'], ['b', '{ b }']])); // prettier-ignore
  });

  it.each([
    ['is not JSON', '{'],
    ['is neither an Apollo manifest of persisted queries nor an object of documents by hash', '["{ a }"]'],
    ['is neither an Apollo manifest of persisted queries nor an object of documents by hash', '{"a": 7}'],
    ['is neither an Apollo manifest of persisted queries nor an object of documents by hash', apollo(2)],
    [
      'is neither an Apollo manifest of persisted queries nor an object of documents by hash',
      apollo(1, { id: 'a', body: '' }),
    ],
    ['has no documents', '{}'],
    ['has no documents', apollo(1)],
  ])('refuses in one line a file that %s: %j', async (problem, text) => {
    const file = await manifest(text);
    expect(() => read(file)).toThrow(new ConfigError(`TRUSTED_DOCUMENTS names ${file}, which ${problem}.`));
  });

  it('refuses a file that is not there, and two documents of one id', async () => {
    expect(() => read('/nowhere/manifest')).toThrow(
      new ConfigError('TRUSTED_DOCUMENTS names /nowhere/manifest, which cannot be read (ENOENT).'),
    );
    const both = `${await manifest('{"a": "{ a }"}')},${await manifest('{"a": "{ b }"}')}`;
    expect(() => read(both)).toThrow(new ConfigError('TRUSTED_DOCUMENTS gives two documents for "a".'));
  });
});
