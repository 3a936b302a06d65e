import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../kernel/package-root.js';
import { instructions } from '../kit/compose.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archipelago-image-'));
  for (const words of instructions('build', 'COPY')) {
    const names = words.split(' ').slice(0, -1);
    for (const name of names) await cp(join(packageRoot(), name), join(folder, name), { recursive: true });
  }
  await symlink(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('the image builds from what it copies, with the documents of the dashboard and of the command line', async () => {
  const [, build = ''] = instructions('build', 'RUN');
  const script = /--eval "(.+)"$/.exec(build)?.[1] ?? '';
  const words = ['--input-type=module', '--eval', script];
  await promisify(execFile)(process.execPath, words, { cwd: folder, env: { PATH: process.env.PATH } });
  const documentsIn = (root: string) => readFile(join(root, 'dist/documents.json'), 'utf8');
  expect(await documentsIn(folder)).toBe(await documentsIn(packageRoot()));
});
