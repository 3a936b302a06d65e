import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../kit/arrangements.js';
import { openCommandLine, signedInCommandLine } from '../kit/command-line.js';
import { startOnDatabase } from '../kit/database/own-database.js';
import { LLAMA, modelPack, publishAndWait } from '../kit/models/artifacts.js';
import { SSH_KEY } from '../kit/machines/machine.js';
import { TestProxmox } from '../kit/machines/proxmox.js';
import { asAdmin, type Json } from '../kit/platform.js';

const HELP = `mutation ($to: String!) {
  adminGrantCredits(substrateAddress: $to, credits: 100, reason: "a test") { balance }
  adminSetRoles(substrateAddress: $to, roles: [BETA]) { id } }`;

let line: Awaited<ReturnType<typeof signedInCommandLine>>;
beforeAll(async () => {
  line = await signedInCommandLine();
  await asAdmin(HELP, { to: line.substrateAddress });
});
afterAll(() => line.close());

describe('a machine on the command line', () => {
  it('is created and waited for, listed, stopped and terminated', async () => {
    const key = join(line.folder, 'key.pub');
    await writeFile(key, `${SSH_KEY}\n`);
    const { flavors, images } = await line.json('vm', 'catalogue');
    const terms = ['--flavor', flavors[0].displayName, '--image', images[0].slug, '--key', key, '--no-join', '--wait'];
    const { id } = await line.json('vm', 'create', 'web', ...terms);
    expect(await line.json('vm', 'list')).toMatchObject([{ id, name: 'web', status: 'running' }]);
    expect(await line.json('vm', 'console', 'web')).toEqual({ log: expect.any(String) });
    const { command } = await line.json('vm', 'ssh', 'web', '--print', '--login', 'root', 'uptime');
    expect(command).toEqual(['ssh', '-p', expect.stringMatching(/^\d+$/), expect.stringMatching(/^root@/), 'uptime']);
    expect((await line.run('vm', 'ssh', 'web', '--print')).stdout).toMatch(/^ssh -p \d+ cloud@\S+\n$/);
    const quoted = await line.run('vm', 'ssh', 'web', '--print', '--', 'ls -l "$HOME"');
    expect(quoted.stdout).toMatch(/ cloud@\S+ 'ls -l "\$HOME"'\n$/);
    const words = ['-l', 'root', '--print', 'ls', '-la', '--json', '-l', '-h'];
    const remote = await line.run('vm', 'ssh', 'web', ...words);
    expect(remote.stdout).toMatch(/ root@\S+ ls -la --json -l -h\n$/);
    const shell = await line.run('vm', 'ssh', 'web');
    expect([shell.code, shell.stderr]).toEqual([1, expect.stringContaining('web is simulated')]);
    expect((await line.run('vm', 'stop', 'web', '--yes')).stdout).toMatch(/^web is stop/);
    expect((await line.run('vm', 'rm', `${id}`, '--yes')).code).toBe(0);
    expect((await line.run('vm', 'create', 'b', ...terms.with(1, 'none'))).code).toBe(2);
    expect((await line.run('vm', 'stop', 'none')).code).toBe(2);
    const other = await line.run('vm', 'create', 'db', ...terms);
    expect(other.stdout).toBe('db is running; it is simulated, so it has no shell\n');
    expect(other.stderr).toMatch(/^created db with the id \d+\n$/);
    const withoutNetwork = await line.run('vm', 'create', 'b', ...terms.filter((term) => term !== '--no-join'));
    expect(withoutNetwork.stderr).toMatch(/can join: use archipelago net provision first, or --no-join\.\n$/);
    const incomplete = await line.run('vm', 'create', 'b', '--image', images[0].slug);
    expect([incomplete.code, incomplete.stderr]).toEqual([2, expect.stringContaining('--flavor, --key')]);
  });
});

describe('a shell on a machine', () => {
  it('needs ssh: where that is not installed, the command for it is printed', async () => {
    const proxmox = await TestProxmox.start();
    proxmox.machines.tasks.taskMs = 100;
    proxmox.machines.addTemplate(9000, 'debian-13');
    const running = await startOnDatabase(proxmox.variables);
    const owner = await signedInCommandLine({ ARCHIPELAGO_URL: running.url, PATH: '/nowhere' });
    try {
      await asAdmin(HELP, { to: owner.substrateAddress }, running.url);
      const { flavors } = await owner.json('vm', 'catalogue');
      const key = join(owner.folder, 'key.pub');
      await writeFile(key, `${SSH_KEY}\n`);
      const terms = ['--flavor', flavors[0].name, '--image', 'debian-13', '--key', key, '--no-join', '--wait'];
      await owner.json('vm', 'create', 'web', ...terms);
      const { stdout: command } = await owner.run('vm', 'ssh', 'web', '--print', '--', 'ls -l');
      expect(command).toMatch(/^ssh -p 22 cloud@192\.0\.2\.\d+ 'ls -l'\n$/);
      const stderr = `ssh is not installed here. The command is: ${command}`;
      expect(await owner.run('vm', 'ssh', 'web', 'ls -l')).toEqual({ code: 1, stdout: '', stderr });
    } finally {
      await owner.close();
      await running.stop();
      await proxmox.stop();
    }
  }, 60_000);
});

describe('a certificate on the command line', () => {
  it('is requested for a key that never leaves the device, renewed and revoked', async () => {
    await line.json('net', 'provision');
    const dir = join(line.folder, 'nebula');
    const { certificateId } = await line.json('cert', 'request', '--dir', dir);
    const odd = join(line.folder, 'a "quoted" $& directory');
    await cp(dir, odd, { recursive: true });
    await line.json('cert', 'request', '--dir', odd);
    expect(await readFile(join(odd, 'config.yml'), 'utf8')).toContain(
      `key: ${JSON.stringify(join(odd, 'host.key'))}\n`,
    );
    const key = await readFile(join(dir, 'host.key'), 'utf8');
    expect((await stat(join(dir, 'host.key'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(dir, 'config.yml'), 'utf8')).toContain(join(dir, 'host.key'));
    const first = await readFile(join(dir, 'host.crt'), 'utf8');
    expect(await line.json('cert', 'request', '--dir', dir)).toMatchObject({ certificateId });
    expect(await line.json('cert', 'renew', '--dir', dir)).toMatchObject({ certificateId });
    expect(await readFile(join(dir, 'host.key'), 'utf8')).toBe(key);
    expect(await readFile(join(dir, 'host.crt'), 'utf8')).not.toBe(first);
    await line.json('cert', 'revoke', `${certificateId}`, '--yes');
    expect((await line.json('cert', 'show'))[0]).toMatchObject({ certificateId, state: 'revoked' });
  });

  it('leaves no file behind when it is refused, and every key that was there', async () => {
    const stranger = await openCommandLine({ ARCHIPELAGO_TOKEN: 'wrong' });
    const dir = join(stranger.folder, 'made');
    expect((await stranger.run('cert', 'request', '--dir', join(dir, 'nebula'))).code).toBe(3);
    await expect(stat(dir)).rejects.toThrow('ENOENT');
    const own = join(line.folder, 'nebula');
    const files = await readdir(own);
    expect((await stranger.run('cert', 'renew', '--dir', own)).code).toBe(3);
    expect(await readdir(own)).toEqual(files);
    expect(await stranger.run('cert', 'request', '--dir', join(own, 'host.key'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^\S+host\.key cannot be written: /),
    });
    await stranger.close();
  });

  it('is refused for a directory that nobody can make', async () => {
    expect(await line.run('cert', 'request', '--dir', '/proc/none/nebula')).toEqual({
      code: 2,
      stdout: '',
      stderr: '/proc/none/nebula cannot be written: its directory leads nowhere.\n',
    });
  });

  it('keeps its key when the answer is lost, so that the request can be repeated', async () => {
    const dir = join(line.folder, 'lost');
    const url = `http://127.0.0.1:${await freePort()}`;
    expect((await line.run('--url', url, 'cert', 'request', '--dir', dir)).code).toBe(4);
    expect(await readdir(dir)).toEqual(['host.key']);
  });
});

describe('a bucket on the command line', () => {
  it('is created with keys that can be revoked, and deleted', async () => {
    const name = `b-${randomUUID()}`;
    const created = await line.run('bucket', 'create', name);
    expect(created).toMatchObject({
      code: 0,
      stdout: `created ${name}\n`,
      stderr: expect.stringContaining('no object store'),
    });
    const { id, secret } = await line.json('bucket', 'key', 'create', 'laptop', '--bucket', name, '--access', 'both');
    expect(secret).toEqual(expect.any(String));
    const keys: Json[] = await line.json('bucket', 'key', 'list');
    expect(keys).toMatchObject([{ id, bucketNames: [name], actions: ['read', 'write'] }]);
    expect(await line.json('bucket', 'key', 'revoke', `${id}`, '--yes')).toMatchObject({ status: 'revoked' });
    expect(await line.json('bucket', 'list')).toMatchObject([{ name }]);
    await line.json('bucket', 'rm', name, '--yes');
    expect(await line.json('models', 'list', '--mine')).toEqual([]);
    expect((await line.run('models', 'show', 'none')).code).toBe(2);
  });

  it('is listed with the keys that open it', async () => {
    const name = `b-${randomUUID()}`;
    await line.json('bucket', 'create', name);
    expect((await line.run('bucket', 'access')).stdout).toMatch(new RegExp(`^${name} +- +- +- +- +-$`, 'm'));
    const { id } = await line.json('bucket', 'key', 'create', 'reader', '--bucket', name, '--prefix', 'a/', 'b/');
    const [{ bucket, subTokens }]: Json[] = await line.json('bucket', 'access');
    expect(bucket).toBe(name);
    expect(subTokens).toEqual([expect.objectContaining({ id, name: 'reader', prefixes: ['a/', 'b/'] })]);
    expect((await line.run('bucket', 'access')).stdout).toMatch(
      new RegExp(`^${name} +${id} +reader +read +a/, b/ +active$`, 'm'),
    );
    await line.json('bucket', 'key', 'revoke', `${id}`, '--yes');
    await line.json('bucket', 'rm', name, '--yes');
  });
});

describe('a list on the command line', () => {
  it('says on standard error when it is not all, also with --json', async () => {
    const word = `w${randomUUID().slice(0, 8)}`;
    for (const name of ['one', 'two']) await publishAndWait(`${word}/${name}`, 'v1', modelPack(LLAMA));
    const all = { stdout: expect.stringMatching(/^model +format[^]*two[^]*one[^\n]*\n$/), stderr: '' };
    expect(await line.run('models', 'list', word)).toEqual({ code: 0, ...all });
    const stderr = 'Only the first 1 of 2 are listed; for more, raise --limit.\n';
    const first = await line.run('--json', 'models', 'list', word, '--limit', '1');
    expect([first.code, JSON.parse(first.stdout), first.stderr]).toMatchObject([0, [{ repo: 'two' }], stderr]);
    for (const name of [`${word}-1`, `${word}-2`])
      await line.json('files', 'push', 'listed', line.wallet, name, '--wallet', line.wallet);
    expect(await line.run('files', 'search', word, '--limit', '1')).toMatchObject({ code: 0, stderr });
    expect(await line.run('files', 'search', word)).toMatchObject({ code: 0, stderr: '' });
  });
});
