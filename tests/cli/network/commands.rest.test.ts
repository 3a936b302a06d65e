import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signedInCommandLine } from '../../kit/command-line.js';
import type { Json } from '../../kit/platform.js';

let line: Awaited<ReturnType<typeof signedInCommandLine>>;
beforeAll(async () => {
  line = await signedInCommandLine();
  await line.json('net', 'provision');
  await line.json('net', 'enroll', '--label', 'laptop');
});
afterAll(() => line.close());

const net = (...words: readonly string[]) => line.run('net', ...words);

describe('net history', () => {
  it('lists the last changes with the ids that net undo takes', async () => {
    await line.json('net', 'group', 'create', 'staff');
    const [last, before]: Json[] = await line.json('net', 'history', '--limit', '2');
    expect([last.items[0].kind, before.items.map(({ kind }: Json) => kind)]).toEqual(['group', expect.anything()]);
    await line.json('net', 'undo', last.id, '--yes');
    expect(await newest()).toMatchObject({ undoes: last.id });
    const { stdout } = await net('history');
    expect(stdout).toMatch(new RegExp(`^${last.id} .* 1 group `, 'm'));
  });

  it('refuses more changes than the platform lists', async () => {
    expect((await net('history', '--limit', '101')).code).toBe(1);
  });
});

describe('net key', () => {
  it('lists setup keys, and revokes one by the label of its machine', async () => {
    await line.json('net', 'enroll', '--label', 'phone');
    expect(await keyOf('phone')).toMatchObject({ state: 'valid' });
    const { code, stdout } = await net('key', 'revoke', 'phone', '--yes');
    expect([code, stdout]).toEqual([0, 'revoked phone\n']);
    expect(await keyOf('phone')).toMatchObject({ state: 'revoked' });
    expect((await net('key', 'list')).stdout).toMatch(/^\d+ +\S+ +phone +revoked /m);
  });
});

describe('net peer rename', () => {
  it('gives a machine another label, and leaves its groups', async () => {
    const before = await peers();
    expect((await net('peer', 'rename', 'laptop', 'notebook')).stdout).toBe('laptop is now notebook\n');
    const renamed = before.map((peer) => (peer.label === 'laptop' ? { ...peer, label: 'notebook' } : peer));
    expect(await peers()).toEqual(renamed);
    await line.json('net', 'peer', 'rename', 'notebook', 'laptop');
  });
});

describe('net group rename', () => {
  it('gives a group another label, and leaves its machines', async () => {
    await line.json('net', 'group', 'create', 'ops');
    await line.json('net', 'peer', 'move', 'laptop', 'ops', 'all');
    const before = await peers();
    expect((await net('group', 'rename', 'ops', 'operations')).stdout).toBe('ops is now operations\n');
    const groups: Json[] = await line.json('net', 'group', 'list');
    const labels = groups.map(({ label }) => label);
    expect([labels.includes('operations'), labels.includes('ops')]).toEqual([true, false]);
    expect(await peers()).toEqual(before);
  });

  it('names what is refused', async () => {
    const { code, stderr } = await net('group', 'rename', 'all', 'everyone');
    expect([code, stderr]).toEqual([1, expect.stringContaining('The default group cannot be renamed.')]);
  });
});

describe('net export', () => {
  it('of machines with the same label can be applied', async () => {
    await line.json('net', 'enroll', '--label', 'laptop');
    const file = join(line.folder, 'same.yaml');
    const { stdout } = await net('export');
    await writeFile(file, stdout);
    expect(stdout.match(/- label: laptop\n +id: \d+\n/g)).toHaveLength(2);
    expect(stdout).toMatch(/- label: phone\n +groups:/);
    expect(await line.json('net', 'apply', file)).toEqual({ changed: 0 });
  });
});

const newest = async (): Promise<Json> => (await line.json('net', 'history', '--limit', '1'))[0];
const keyOf = async (machine: string): Promise<Json> =>
  (await line.json('net', 'key', 'list')).find(({ name }: Json) => name === machine);
const peers = async (): Promise<Json[]> => line.json('net', 'peer', 'list');
