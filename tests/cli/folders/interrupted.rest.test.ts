import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import { ProfileStore } from '../../../cli/profile.js';
import { packageRoot } from '../../../kernel/package-root.js';
import { signedInCommandLine } from '../../kit/command-line.js';
import { startLossyProxy, type LossyProxy } from '../../kit/programs/lossy-proxy.js';
import { toEnd } from '../../kit/run.js';
import { until } from '../../kit/watch.js';

let proxy: LossyProxy;
let line: Awaited<ReturnType<typeof signedInCommandLine>>;
beforeAll(async () => {
  proxy = await startLossyProxy();
  line = await signedInCommandLine({ ARCHIPELAGO_URL: proxy.url });
});
afterAll(async () => {
  proxy.close();
  await line.close();
});

describe('an interrupted download', () => {
  it('removes its part also when the signal comes twice: from the terminal, and from npm', async () => {
    const source = join(line.folder, 'source.txt');
    await writeFile(source, 'text');
    await line.json('files', 'push', 'documents', source, '--wallet', line.wallet);
    const target = join(line.folder, 'target');
    await mkdir(target);
    proxy.fateOf = ({ path }) => (path.startsWith('/download/') ? new Promise(() => {}) : 'answered');
    const child = line.start('files', 'pull', 'documents', '/', target, '--wallet', line.wallet);
    const ended = toEnd(child);
    await until(async () => (await readdir(target)).length > 0);
    const timer = setInterval(() => child.kill('SIGINT'), 1);
    const { code, stderr } = await ended;
    clearInterval(timer);
    expect([code, stderr]).toEqual([130, 'Interrupted.\n']);
    expect(await readdir(target)).toEqual([]);
  });
});

describe('a wallet that cannot be written', () => {
  it('leaves no file behind', async () => {
    const wallet = join(line.folder, 'cut');
    const main = join(packageRoot(), 'dist/bundle/cli.js');
    const words = ['-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath, main, 'login', '--wallet', wallet, '--new'];
    const env = { ...process.env, ARCHIPELAGO_HOME: join(line.folder, 'home'), ARCHIPELAGO_URL: proxy.url };
    const { status, stderr } = spawnSync('sh', words, { encoding: 'utf8', env });
    expect([status, stderr]).toEqual([2, expect.stringMatching(/cut cannot be written: EFBIG/)]);
    expect(await readdir(line.folder)).not.toContain('cut');
  });
});

describe('profiles and records that several shells write at once', () => {
  it('are all kept', async () => {
    const folder = join(line.folder, 'shared');
    const names = Array.from({ length: 8 }, (_, index) => `profile ${index}`);
    await Promise.all(names.map((name) => new ProfileStore(folder).write(name, { url: proxy.url, token: name })));
    const profiles = await Promise.all(names.map((name) => new ProfileStore(folder).read(name)));
    expect(profiles.map((profile) => profile?.token)).toEqual(names);
    expect(await readdir(folder)).toEqual(['profiles.json']);
  });

  it('are written also after a shell was killed while it wrote', async () => {
    const folder = join(line.folder, 'killed');
    const store = new ProfileStore(folder);
    await store.write('one', { url: proxy.url });
    await writeFile(join(folder, 'profiles.json.lock'), '');
    const isLater = () => Date.now() + 60_000;
    await new ProfileStore(folder, isLater).write('two', { url: proxy.url });
    expect(await store.read('two')).toEqual({ url: proxy.url });
  });

  it('are written also when the clock of the killed shell was ahead', async () => {
    const { lock, folder } = await lockedFolder('ahead', 'killed');
    utimesSync(lock, Date.now() / 1000, Date.now() / 1000 + 3600);
    await new ProfileStore(folder).write('one', { url: proxy.url });
    expect(await readdir(folder)).toEqual(['profiles.json']);
  });

  it('wait for the lock of a shell that has removed that of a killed one a moment before', async () => {
    const { lock, folder } = await lockedFolder('stolen', 'killed');
    const steps: (() => void)[] = [
      () => renewed(lock, 'other'),
      () => expect(readFileSync(lock, 'utf8')).toBe('other'),
      () => rmSync(lock),
    ];
    // The time is read after the lock: the first step comes between the decision about it and its removal.
    const now = () => (steps.shift()?.(), Date.now() + 60_000 * Number(steps.length === 2));
    await new ProfileStore(folder, now).write('one', { url: proxy.url });
    expect([steps, await readdir(folder)]).toEqual([[], ['profiles.json']]);
  });

  it('leave the lock of a shell that has taken over', async () => {
    const { lock, folder } = await lockedFolder('taken-over');
    await new ProfileStore(folder).change('profiles.json', (profiles) => (renewed(lock, 'other'), profiles));
    expect(readFileSync(lock, 'utf8')).toBe('other');
  });

  it('are given up when the lock stays', async () => {
    const { lock, folder } = await lockedFolder('busy', 'other');
    let seconds = Date.now() / 1000;
    const now = () => (utimesSync(lock, ++seconds, seconds), seconds * 1000);
    await expect(new ProfileStore(folder, now).write('one', { url: proxy.url })).rejects.toThrow(
      `${folder} cannot be written: ${lock} stays: remove it if no other command runs.`,
    );
  });
});

/** Makes a folder of profiles; with a lock that says whose it is. */
async function lockedFolder(name: string, owner?: string) {
  const folder = join(line.folder, name);
  await mkdir(folder);
  const lock = join(folder, 'profiles.json.lock');
  if (owner !== undefined) await writeFile(lock, owner);
  return { folder, lock };
}

/** Another shell removes a lock and makes its own. */
function renewed(lock: string, owner: string): void {
  rmSync(lock);
  writeFileSync(lock, owner);
}
