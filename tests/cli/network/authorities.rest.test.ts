import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signInWithNetwork } from '../../kit/accounts/wallet.js';
import { ADMIN_TOKEN } from '../../kit/arrangements.js';
import { openCommandLine, signedInCommandLine, type CommandLine } from '../../kit/command-line.js';
import { tenantOf } from '../../kit/network/graph.js';
import { call, type Json } from '../../kit/platform.js';

let user: Awaited<ReturnType<typeof signInWithNetwork>>;
let line: CommandLine;
beforeAll(async () => {
  user = await signInWithNetwork();
  line = await openCommandLine({ ARCHIPELAGO_TOKEN: user.token });
});
afterAll(() => line.close());

const net = (...words: readonly string[]) => line.run('net', ...words);

describe('net authority', () => {
  it('rotates the authority of the network, and lists both', async () => {
    expect((await net('authority', 'list')).stdout).toBe('none\n');
    expect((await net('authority', 'rotate', '--yes')).stdout).toMatch(/^authority 1 signs from \S+\n$/);
    const rotated: Json[] = await line.json('net', 'authority', 'rotate', '--overlap-hours', '24', '--yes');
    expect(rotated).toMatchObject([
      { generation: 2, state: 'announced' },
      { generation: 1, state: 'signing' },
    ]);
    expect(Date.parse(rotated[1].trustedUntil) - Date.parse(rotated[0].signsFrom)).toBe(24 * 3_600_000);
    expect(await line.json('net', 'authority', 'list')).toEqual(rotated);
    const rows = rotated.map(({ generation, state }) => [expect.stringMatching(`^${generation} +${state} `)]);
    const [, ...listed] = (await net('authority', 'list')).stdout.trimEnd().split('\n');
    expect(listed.map((row) => [row])).toEqual(rows);
  });

  it('is not rotated while two overlap', async () => {
    const { code, stdout, stderr } = await net('authority', 'rotate', '--yes');
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^Two authorities overlap until /)]);
  });

  it.each([
    ['without --yes where there is no terminal', ['rotate'], 2, 'Nothing was rotated. Give --yes'],
    ['with hours that are no number', ['rotate', '--overlap-hours', 'x', '--yes'], 2, '"x" is not a whole number'],
    ['with too many hours', ['rotate', '--overlap-hours', '8761', '--yes'], 1, '--overlap-hours must be'],
    ['in a network of another', ['rotate', '--tenant', '2147483647', '--yes'], 1, 'no such private network'],
  ])('is not rotated %s', async (_, words, status, sentence) => {
    const { code, stdout, stderr } = await net('authority', ...words);
    expect([code, stdout, stderr]).toEqual([status, '', expect.stringContaining(sentence)]);
  });

  it('of a user is rotated by an administrator', async () => {
    const owner = await signInWithNetwork();
    const { id } = await tenantOf(owner);
    const admin = await openCommandLine({ ARCHIPELAGO_TOKEN: ADMIN_TOKEN });
    const rotated = await admin.json('net', 'authority', 'rotate', '--tenant', `${id}`, '--yes');
    expect(rotated).toMatchObject([{ generation: 1, state: 'signing' }]);
    await admin.close();
  });

  it('is refused to who has no network', async () => {
    const other = await signedInCommandLine();
    for (const words of [
      ['authority', 'list'],
      ['infra', 'list'],
    ]) {
      const { code, stdout, stderr } = await other.run('net', ...words);
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('archipelago net provision')]);
    }
    await other.close();
  });
});

describe('net infra', () => {
  it('lists the machines that the platform runs, and detaches one', async () => {
    for (const name of ['gateway', 'router'])
      await call('POST /api/network/infra/enroll/', { token: user.token, body: { name } });
    expect((await net('infra', 'list')).stdout).toMatch(/^\d+ +gateway +- +never_seen /m);
    expect((await net('infra', 'rm', 'gateway', '--yes')).stdout).toBe('detached gateway\n');
    const [{ id }] = await line.json('net', 'infra', 'list');
    expect(await line.json('net', 'infra', 'rm', `${id}`, '--yes')).toEqual({ id });
    expect((await net('infra', 'list')).stdout).toBe('none\n');
    expect(await line.json('net', 'peer', 'list')).toEqual([]);
  });

  it('names the command that lists what there is', async () => {
    const stderr = 'There is no attached machine "none": see archipelago net infra list.\n';
    expect(await net('infra', 'rm', 'none', '--yes')).toEqual({ code: 2, stdout: '', stderr });
  });
});
