import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signedInCommandLine } from '../kit/command-line.js';
import { SSH_KEY } from '../kit/machines/machine.js';
import { asAdmin, call, type Json } from '../kit/platform.js';

let line: Awaited<ReturnType<typeof signedInCommandLine>>;
beforeAll(async () => {
  line = await signedInCommandLine();
  const help = `mutation ($to: String!) {
    adminGrantCredits(substrateAddress: $to, credits: 100, reason: "a test") { balance }
    adminSetRoles(substrateAddress: $to, roles: [BETA]) { id } }`;
  await asAdmin(help, { to: line.substrateAddress });
  await line.json('net', 'provision');
}, 60_000);
afterAll(() => line.close());

async function machine(action: string): Promise<readonly [command: readonly string[], list: readonly string[]]> {
  const key = join(line.folder, 'key.pub');
  await writeFile(key, `${SSH_KEY}\n`);
  const { flavors, images } = await line.json('vm', 'catalogue');
  const terms = ['--flavor', flavors[0].name, '--image', images[0].slug, '--key', key, '--no-join', '--wait'];
  const name = `for-${action}`;
  await line.json('vm', 'create', name, ...terms);
  return [
    ['vm', action, name],
    ['vm', 'list'],
  ];
}

/** Makes what each command destroys. Returns the command, and one that lists what is left. */
const MADE: Readonly<Record<string, () => Promise<readonly [command: readonly string[], list: readonly string[]]>>> = {
  'a machine': () => machine('rm'),
  'what a machine that is stopped was doing': () => machine('stop'),
  'what a machine that is rebooted was doing': () => machine('reboot'),
  'a group': async () => {
    await line.json('net', 'group', 'create', 'staff');
    return [
      ['net', 'group', 'rm', 'staff'],
      ['net', 'group', 'list'],
    ];
  },
  'a policy': async () => {
    await line.json('net', 'policy', 'create', 'all', 'all', '--name', 'talk');
    return [
      ['net', 'policy', 'rm', 'talk'],
      ['net', 'policy', 'list'],
    ];
  },
  'a peer': async () => {
    await line.json('net', 'enroll', '--label', 'laptop');
    return [
      ['net', 'peer', 'rm', 'laptop'],
      ['net', 'peer', 'list'],
    ];
  },
  'a setup key': async () => {
    await line.json('net', 'enroll', '--label', 'phone');
    return [
      ['net', 'key', 'revoke', 'phone'],
      ['net', 'key', 'list'],
    ];
  },
  'the time of an authority': async () => {
    await line.json('net', 'authority', 'rotate', '--yes');
    return [
      ['net', 'authority', 'rotate'],
      ['net', 'authority', 'list'],
    ];
  },
  'an attached machine': async () => {
    const { token } = JSON.parse(await readFile(join(line.folder, 'home/profiles.json'), 'utf8')).default;
    await call('POST /api/network/infra/enroll/', { token, body: { name: 'gateway' } });
    return [
      ['net', 'infra', 'rm', 'gateway'],
      ['net', 'infra', 'list'],
    ];
  },
  'a file': async () => {
    await line.json('files', 'push', 'documents', line.wallet, 'a.txt', '--wallet', line.wallet);
    return [
      ['files', 'rm', 'documents', 'a.txt', '--wallet', line.wallet],
      ['files', 'ls', 'documents', '--wallet', line.wallet],
    ];
  },
  'a bucket': async () => {
    const name = `b-${randomUUID()}`;
    await line.json('bucket', 'create', name);
    return [
      ['bucket', 'rm', name],
      ['bucket', 'list'],
    ];
  },
  'a key': async () => {
    const { id } = await line.json('bucket', 'key', 'create', 'reader');
    return [
      ['bucket', 'key', 'revoke', `${id}`],
      ['bucket', 'key', 'list'],
    ];
  },
  'a certificate': async () => {
    const { certificateId } = await line.json('cert', 'request', '--dir', join(line.folder, 'nebula'));
    return [
      ['cert', 'revoke', `${certificateId}`],
      ['cert', 'list'],
    ];
  },
  'a token': async () => {
    const tokens: Json[] = await line.json('token', 'list');
    return [
      ['token', 'revoke', tokens[0].id],
      ['token', 'list'],
    ];
  },
};

describe('a command that destroys', () => {
  it.each(Object.keys(MADE))('%s does nothing without a terminal and without --yes', async (name) => {
    const [command, list] = (await MADE[name]?.()) ?? [[], []];
    const before: Json[] = await line.json(...list);
    expect(await line.run(...command)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^Nothing was \w+\. Give --yes where there is no terminal to ask on\.\n$/),
    });
    // The time of the last use of a token and the cost of a machine go on.
    const keyOf = ({ status, state, id, name: label }: Json) => [status, state, id, label];
    expect((await line.json(...list)).map(keyOf)).toEqual(before.map(keyOf));
  });
});
