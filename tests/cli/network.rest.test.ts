import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openCommandLine, signedInCommandLine } from '../kit/command-line.js';
import { signInWithNetwork } from '../kit/accounts/wallet.js';
import { join as joinMachine } from '../kit/network/network.js';
import { graphql, type Json } from '../kit/platform.js';
import { toEnd } from '../kit/run.js';

let line: Awaited<ReturnType<typeof signedInCommandLine>>;
beforeAll(async () => {
  line = await signedInCommandLine();
  await line.json('net', 'provision');
  for (const label of ['laptop', 'server']) {
    const { joinCommand } = await line.json('net', 'enrol', '--label', label);
    await joinMachine(/arp_join_[\w-]+/.exec(joinCommand)?.[0] ?? '');
  }
});
afterAll(() => line.close());

const net = (...words: readonly string[]) => line.run('net', ...words);

describe('the network on the command line', () => {
  it('has groups, peers and policies, tells who reaches whom, and undoes', async () => {
    for (const label of ['staff', 'web']) await line.json('net', 'group', 'create', label);
    await line.json('net', 'peer', 'move', 'laptop', 'staff');
    await line.json('net', 'peer', 'move', 'server', 'web');
    expect((await net('reach', 'laptop', 'server:443')).code).toBe(1);
    const planned = await net('policy', 'create', 'staff', 'web', '--ports', '443', '--one-way', '--plan');
    expect(planned.stdout).toBe('gains  laptop -> server tcp 443\n1 pair gains, 0 lose\n');
    const { id } = await line.json('net', 'policy', 'create', 'staff', 'web', '--ports', '443', '--one-way');
    const reached = await net('reach', 'laptop', 'server:443');
    expect([reached.code, reached.stdout]).toEqual([0, expect.stringMatching(/^yes: /)]);
    const peers: Json[] = await line.json('net', 'peer', 'list');
    const node = `peer:${peers.find(({ label }) => label === 'server').id}`;
    for (const [to, code] of [
      [`${node}:443`, 0],
      [node, 1],
      [`${node}:80`, 1],
    ] as const)
      expect([to, (await net('reach', 'laptop', to)).code]).toEqual([to, code]);
    expect(await line.json('net', 'policy', 'list')).toContainEqual(expect.objectContaining({ id, ports: ['443'] }));
    await line.json('net', 'undo', '--yes');
    expect((await net('reach', 'laptop', 'server:443')).code).toBe(1);
  });

  it.each([
    ['group rm none --yes', 'group "none"', 'group'],
    ['group rename none other', 'group "none"', 'group'],
    ['peer rm none --yes', 'machine "none"', 'peer'],
    ['peer move none all', 'machine "none"', 'peer'],
    ['peer rename none other', 'machine "none"', 'peer'],
    ['key revoke none --yes', 'setup key "none"', 'key'],
    ['peer move laptop none', 'group "none"', 'group'],
    ['policy create none all', 'group "none"', 'group'],
    ['policy enable none', 'policy "none"', 'policy'],
    ['policy rm none --yes', 'policy "none"', 'policy'],
    ['enroll --group none', 'group "none"', 'group'],
    ['reach none server', 'machine "none"', 'peer'],
    ['reach laptop none:443', 'machine or resource "none"', 'peer list and archipelago net resource'],
  ])('names the command that lists what there is: net %s', async (words, missing, list) => {
    const stderr = `There is no ${missing}: see archipelago net ${list} list.\n`;
    expect(await net(...words.split(' '))).toEqual({ code: 2, stdout: '', stderr });
  });

  it('is made what a file says, once, and exported as it is', async () => {
    const file = join(line.folder, 'net.yaml');
    await writeFile(
      file,
      `groups: [staff, web]
peers:
  - { label: laptop, groups: [staff] }
  - { label: server, groups: [web] }
policies:
  - { source: staff, destination: web, protocol: tcp, ports: ['443', '8000-8100'], bidirectional: false }
networks:
  - name: office
    resources:
      - { name: db, address: 10.1.2.3, groups: [web] }
      - { name: server, address: 10.1.2.4, groups: [] }
    routers:
      - { peer: server }
`,
    );
    const planned = await net('plan', file);
    expect(planned.stdout).toContain('+ policy staff-to-web');
    expect(planned.stdout).toContain('+ member db in web\n');
    expect(planned.stdout).toContain('gains  laptop -> db tcp 443,8000-8100');
    const unconfirmed = await net('apply', file);
    expect([unconfirmed.code, unconfirmed.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect((await net('apply', file, '--yes')).stdout).toMatch(/^changed \d+ entries/m);
    expect((await net('reach', 'laptop', 'server:8050')).code).toBe(0);
    for (const [to, code] of [
      ['db:443', 0],
      ['db:80', 1],
    ] as const)
      expect([to, (await net('reach', 'laptop', to)).code]).toEqual([to, code]);
    expect((await net('resource', 'list')).stdout).toMatch(/^\d+ +db +10\.1\.2\.3 +office +web +yes$/m);
    const policy = ['policy', 'create', 'staff', 'web', '--ports', '80', '--one-way', '--plan'];
    expect((await net(...policy)).stdout).toContain('gains  laptop -> db tcp 80\n');
    expect((await net('apply', file, '--yes')).stdout).toBe('nothing to change\n');
    const exported = join(line.folder, 'exported.yaml');
    await writeFile(exported, (await net('export')).stdout);
    expect(await line.json('net', 'apply', exported)).toEqual({ changed: 0 });
    const elsewhere = join(line.folder, 'elsewhere.yaml');
    await writeFile(
      elsewhere,
      (await readFile(file, 'utf8')).replace('10.1.2.3, groups: [web]', '10.1.2.3, groups: [staff]'),
    );
    const moved = await net('plan', elsewhere);
    expect(moved.stdout).toMatch(/^- member db in web\n\+ member db in staff$/m);
    await line.json('net', 'undo', '--yes');
    expect((await net('reach', 'laptop', 'server:8050')).code).toBe(1);
    expect((await line.json('net', 'plan', exported)).items.length).toBeGreaterThan(0);
  });

  it('undoes a change that more than a hundred undone ones follow', async () => {
    const { token } = await signInWithNetwork();
    const own = await openCommandLine({ ARCHIPELAGO_TOKEN: token });
    const create = (label: string) =>
      graphql('mutation ($label: String!) { createGroup(label: $label) { id } }', { token, variables: { label } });
    await create('first');
    for (let change = 0; change < 51; change++) {
      await create('again');
      const { data } = await graphql('{ networkChanges(limit: 1) { id } }', { token });
      const variables = { id: data.networkChanges[0].id };
      await graphql('mutation ($id: String!) { undoLastChange(id: $id) { id } }', { token, variables });
    }
    const { items } = await own.json('net', 'undo', '--yes');
    expect(items).toEqual([{ kind: 'group', before: expect.stringContaining('first'), after: null }]);
    await own.close();
  });

  it.each([
    ['no YAML', '{', 2, /is not YAML/],
    ['a list', '- a', 2, /mapping/],
    ['an unknown field', 'groups: []\npolices: []', 1, /wrong\.yaml:2:1: Field "polices" is not defined/],
    ['an unknown field of an entry', 'policies:\n  - { sorce: x }', 1, /wrong\.yaml:2:5: policies\[0\]: Field/],
    ['a field of another type', 'groups:\n  - a\n  - b: 1', 1, /wrong\.yaml:3:5: groups\[1\]: String cannot/],
    [
      'a wrong entry',
      'policies: [{ source: none, destination: all }]',
      1,
      /wrong\.yaml:1:12: policies\[0\]: There is no group "none"/,
    ],
  ])('refuses a file with %s', async (_, text, status, sentence) => {
    const file = join(line.folder, 'wrong.yaml');
    await writeFile(file, text);
    const { code, stderr } = await net('plan', file);
    expect([code, stderr]).toEqual([status, expect.stringMatching(sentence)]);
  });

  it('is watched until Ctrl-C', async () => {
    const watch = line.start('--json', 'net', 'watch');
    const ended = toEnd(watch);
    await once(createInterface({ input: watch.stdout }), 'line');
    watch.kill('SIGINT');
    expect((await ended).code).toBe(130);
  });

  it('is watched for with a word while nothing answers, until Ctrl-C', async () => {
    const away = await openCommandLine({ ARCHIPELAGO_URL: 'http://127.0.0.1:9', ARCHIPELAGO_TOKEN: 'any' });
    const watch = away.start('net', 'watch');
    const exited = once(watch, 'exit');
    const [word] = (await once(createInterface({ input: watch.stderr }), 'line')) as [string];
    watch.kill('SIGINT');
    expect([word, await exited]).toEqual(['The connection is lost; trying again.', [130, null]]);
    await away.close();
  });

  it('is not watched with a wrong token', async () => {
    const stranger = await openCommandLine({ ARCHIPELAGO_TOKEN: 'wrong' });
    const { code, stderr } = await stranger.run('net', 'watch');
    const sentence = 'You are not signed in. The token of ARCHIPELAGO_TOKEN is refused: unset or replace it.\n';
    expect([code, stderr]).toEqual([3, sentence]);
    await stranger.close();
  });
});
