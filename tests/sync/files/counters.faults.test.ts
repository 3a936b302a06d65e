import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomInt } from 'node:crypto';
import { Client } from 'pg';
import { fillFiles } from '../../../bench/sync/dataset.js';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { deleteFiles } from '../../../subgraphs/sync/files/file/delete.actions.js';
import { writeFile } from '../../../subgraphs/sync/files/file/file.actions.js';
import { renameFiles } from '../../../subgraphs/sync/files/rename/rename.actions.js';
import { unregisterFolder } from '../../../subgraphs/sync/folders/folder/folder.actions.js';
import { purgeFolders } from '../../../subgraphs/sync/maintenance/expiry.actions.js';
import { CATEGORIES, readFileType } from '../../../subgraphs/sync/search/search.rules.js';
import { wrongCounters } from '../../kit/files/file-counters.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { ownerIdOf } from '../../../subgraphs/sync/folders/owner/owner.actions.js';
import { pathHashOf } from '../../kit/files/sync.js';

let client: Client;
let database: Database;
beforeAll(async () => {
  const url = await newDatabase();
  client = new Client({ connectionString: url });
  await client.connect();
  database = connectDatabase({ url, schema: 'sync', log: openLog('silent', 'tests') });
}, 60_000);
afterAll(async () => {
  await database.close();
  await client.end();
});

const FOLDERS = ['000000000000000a', '000000000000000b'].map((folderHash) => ({ ownerAddress: 'writer', folderHash }));
/** Few names, so that random writes meet each other. */
const NAMES = ['a', 'b', 'c.png', 'd.txt'];
const pick = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)] as Item;
const randomPath = () => Array.from({ length: 1 + randomInt(4) }, () => pick(NAMES)).join('/');
const hashOf = (path: string) => Buffer.from(pathHashOf(path));

async function write(): Promise<void> {
  const path = randomPath();
  const sizeBytes = `${randomInt(1_000_000)}`;
  await database.change(async (transaction) => {
    const ownerId = await ownerIdOf(transaction, 'writer', new Date());
    const [blob] = await transaction.execute<{ id: string }>(
      'INSERT INTO sync.blob (owner_id, size_bytes, chunk_size, created_at) VALUES ($1, $2, 1024, now()) RETURNING id',
      [ownerId, sizeBytes],
    );
    const names = {
      fileName: pick([path.split('/').at(-1) ?? null, null]),
      relativePath: pick([path, path, path, null]),
    };
    const manifest = { ...pick(FOLDERS), pathHash: hashOf(path), saltedHash: randomBytes(32), sizeBytes, ...names };
    const written = { source: pick(['desktop', 'Console', 'x', null]), encryptedPath: Buffer.alloc(0) };
    const file = { ownerId, blobId: blob?.id ?? '', storedBytes: Number(sizeBytes), budget: undefined };
    await writeFile(
      transaction,
      { manifest: { ...manifest, ...written }, ...file, conflictReason: 'conflict' },
      new Date(),
    );
    if (randomInt(5) === 0) throw new Error('roll back');
  });
}

async function rename(): Promise<void> {
  const renames = Array.from({ length: 3 }, () => {
    const [from, to] = [randomPath(), randomPath()];
    return {
      oldPathHash: hashOf(from),
      newPathHash: hashOf(to),
      newFileName: to.split('/').at(-1) ?? null,
      newRelativePath: to,
      newEncryptedPath: null,
      baseRevisionId: null,
    };
  });
  await renameFiles(database, pick(FOLDERS), renames, new Date());
}

async function remove(): Promise<void> {
  const fileIds = Array.from({ length: 3 }, () => hashOf(randomPath()).toString('hex'));
  await deleteFiles(database, pick(FOLDERS), { fileIds, isQuiet: true }, () => new Date());
}

describe('the counters of directories, types and sources', () => {
  it('equal the files after random concurrent writes, renames and deletions, some rolled back', async () => {
    for (let round = 0; round < 40; round++)
      await Promise.allSettled(Array.from({ length: 10 }, () => pick([write, write, write, rename, remove])()));
    const { rows } = await client.query('SELECT count(*)::int AS files FROM sync.file');
    expect(rows[0].files).toBeGreaterThan(20);
    expect(await wrongCounters(client)).toEqual([]);
  }, 60_000);

  it('equal the files that were written by hand, in one statement', async () => {
    await client.query(`UPDATE sync.file SET relative_path = 'moved/' || relative_path, size_bytes = size_bytes + 1`);
    await client.query(`UPDATE sync.file_search s SET size_bytes = f.size_bytes, directory_id = d.id
       FROM sync.file f LEFT JOIN sync.directory d
         ON d.folder_id = f.folder_id AND d.path_hash = sync.hash_of_path(regexp_replace(f.relative_path, '/?[^/]*$', ''))
      WHERE f.id = s.file_id`);
    expect(await wrongCounters(client)).toEqual([]);
    await client.query('DELETE FROM sync.file WHERE id % 2 = 0');
    expect(await wrongCounters(client)).toEqual([]);
  });

  it('go with a folder that is purged', async () => {
    await client.query(`UPDATE sync.folder SET label = 'x'`);
    for (const { ownerAddress, folderHash } of FOLDERS)
      await unregisterFolder(database, { ownerAddress, folderHash }, new Date(0));
    await purgeFolders({ database, now: () => new Date() } as never);
    const { rows } = await client.query(
      `SELECT (SELECT count(*) FROM sync.directory) + (SELECT count(*) FROM sync.folder_kind)
            + (SELECT count(*) FROM sync.folder_letters) + (SELECT count(*) FROM sync.file_search) AS counters`,
    );
    expect(rows).toEqual([{ counters: '0' }]);
  });

  it('can be counted again', async () => {
    const filledUrl = await newDatabase();
    await fillFiles(filledUrl, 'owner of counted files', { rows: 3000, owned: 2000 });
    const filled = new Client({ connectionString: filledUrl });
    await filled.connect();
    const wrong = await wrongCounters(filled);
    await filled.end();
    expect(wrong).toEqual([]);
  }, 60_000);

  it('have the types that clients filter by', async () => {
    const extensions = CATEGORIES.flatMap((category) => {
      const filter = readFileType(category);
      return filter && 'extensions' in filter ? filter.extensions.map((extension) => [extension, category]) : [];
    });
    const others = ['.md', null, '', 'png'].map((extension) => [extension, 'other']);
    for (const [extension, type] of [...extensions, ...others]) {
      const { rows } = await client.query('SELECT sync.type_of($1) AS type', [extension]);
      expect([extension, rows[0].type]).toEqual([extension, type]);
    }
  });
});
