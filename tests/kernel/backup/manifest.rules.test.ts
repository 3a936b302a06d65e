import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackupOptions } from '../../../kernel/backup/backup.js';
import { writeManifest } from '../../../kernel/backup/folder.js';
import { openBackup } from '../../../kernel/backup/restore.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archipelago-'));
});
afterAll(() => rm(folder, { recursive: true }));

const NONE: Readonly<Record<string, string[]>> = {};

it.each([
  ['lacks a subgraph', NONE, 'The backup has no data of sync: restore it with the release that made it (9.9.9).'],
  ['has an unknown migration', { sync: ['future'] }, 'The backup is of a newer release (9.9.9)'],
])('a backup is refused that %s', async (_, migrations, message) => {
  const empty = {
    format: 1 as const,
    version: '9.9.9',
    createdAt: '',
    tables: [],
    sequences: [],
    objects: [],
    keys: [],
  };
  await writeManifest(folder, { ...empty, migrations });
  const options = { folder, subgraphs: [{ name: 'sync' }], config: {} } as unknown as BackupOptions;
  await expect(openBackup(options)).rejects.toThrow(message);
});
