import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { spawnPiped, toEnd } from '../kit/run.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archipelago-lock-'));
});
const children: ReturnType<typeof spawnPiped>[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Takes the lock in a process of its own, after it has run the statement. */
function take(statement: string): ReturnType<typeof spawnPiped> {
  const file = JSON.stringify(join(folder, 'lock'));
  const script = `import { writeFileSync } from 'node:fs';
    import { acquireLock } from ${JSON.stringify(join(packageRoot(), 'scripts/lock.js'))};
    ${statement.replace('FILE', file)};
    (await acquireLock(${file}, 'installs')).release();`;
  const child = spawnPiped([process.execPath, '--input-type=module', '--eval', script], {});
  children.push(child);
  return child;
}

it('a lock of a dead process with the same pid as this one, as in containers, is broken', async () => {
  const child = take('writeFileSync(FILE, String(process.pid))');
  expect(await toEnd(child)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await readdir(folder)).toEqual([]);
}, 10_000);

it('a lock of a process that runs is waited for, which is said on standard error', async () => {
  await writeFile(join(folder, 'lock'), String(process.pid));
  const child = take('');
  child.stderr.once('data', () => void rm(join(folder, 'lock')));
  const { code, stdout, stderr } = await toEnd(child);
  expect([code, stdout, stderr]).toEqual([
    0,
    '',
    expect.stringContaining(`waiting: another process (${process.pid}) installs; its lock is `),
  ]);
}, 10_000);
