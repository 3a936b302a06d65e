import { beforeAll, describe, expect, it } from '@jest/globals';
import { asAdmin, call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { command, machineIn, machineOf, runningMachine, signInToBeta, spawn } from '../../kit/machines/machine.js';
import { join } from '../../kit/network/network.js';
import { until } from '../../kit/watch.js';
import type { SignedIn } from '../../kit/accounts/wallet.js';

async function signInWithNetwork(): Promise<SignedIn> {
  const user = await signInToBeta();
  await call('POST /api/network/provision/', { token: user.token, body: {} });
  return user;
}

const peersOf = async ({ token }: SignedIn): Promise<Json[]> => (await call('GET /api/network/peers/', { token })).body;

describe('a machine that joins its owner’s network', () => {
  it('is a peer of its name that has not been seen yet, and none once it is gone', async () => {
    const owner = await signInWithNetwork();
    const { status, body } = await spawn(owner, { body: { join_network: true, name: 'a-joiner' } });
    await machineIn('running', body.id, owner);
    expect([status, await peersOf(owner)]).toEqual([
      202,
      [expect.objectContaining({ label: 'a-joiner', status: 'never_seen', vm_ticket_ref: `vm:${body.uuid}` })],
    ]);
    await command(body.id, 'terminate', owner);
    await machineIn('terminated', body.id, owner);
    expect(await peersOf(owner)).toEqual([]);
  }, 60_000);

  it('takes what its owner attached with it when it goes, and is not attached after that', async () => {
    const { user: owner, machine } = await runningMachine(await signInWithNetwork());
    const { token } = owner;
    const attach = () =>
      call('POST /api/network/infra/enroll/', { token, body: { name: 'gateway', vm_instance: machine.uuid } });
    expect((await attach()).status).toBe(201);
    await command(machine.id, 'terminate', owner);
    await machineIn('terminated', machine.id, owner);
    const { body: enrollments } = await call('GET /api/network/infra/enrollments/', { token });
    expect([await peersOf(owner), enrollments, (await attach()).status]).toEqual([[], [], 400]);
  }, 60_000);

  it('shows its address once it has joined by the key of an enrollment', async () => {
    const { user: owner, machine } = await runningMachine(await signInWithNetwork());
    const { token } = owner;
    const body = { name: 'gateway', vm_instance: machine.uuid };
    const { body: enrollment } = await call('POST /api/network/infra/enroll/', { token, body });
    const query = `mutation { issueInfraSetupKey(id: ${enrollment.id}) { setupKey } }`;
    const { body: peer } = await join((await graphql(query, { token })).data.issueInfraSetupKey.setupKey);
    await until(async () => (await machineOf(machine.id, owner)).nebula_ip === peer.ip);
  }, 60_000);

  it('needs a network: 403, and nothing is held', async () => {
    const owner = await signInToBeta();
    const { status, body } = await spawn(owner, { body: { join_network: true } });
    expect({ status, body }).toEqual({ status: 403, body: { error: expect.stringContaining('provision') } });
    const { data } = await graphql('{ creditBalance { held } }', { token: owner.token });
    expect(data.creditBalance.held).toBe('0');
  });

  it('joins nothing unless it is asked to', async () => {
    const owner = await signInWithNetwork();
    const { body } = await spawn(owner);
    await machineIn('running', body.id, owner);
    expect(await peersOf(owner)).toEqual([]);
  });
});

describe('what the platform asks of the network for its machines', () => {
  it.each([
    'query { hasPrivateNetwork(userId: 1) }',
    'query { vmAddresses(userIds: [1], uuids: ["x"]) { ip } }',
    'mutation { enrollVm(userId: 1, uuid: "x", label: "x") { joinCommand } }',
    'mutation { dropVmPeer(userId: 1, uuid: "x") }',
  ])('nobody else can ask: %s', async (query) => {
    const { token } = await signInToBeta('0');
    const reply = await graphql(query, { token });
    expect(reply.errors?.[0]?.message).toMatch(/Cannot query field/);
  });
});

describe('vmConsoleLog', () => {
  const ASK = 'query ($id: ID!, $kib: Int!) { vmConsoleLog(id: $id, kib: $kib) }';
  let owner: SignedIn;
  let machine: Json;
  beforeAll(async () => {
    ({ user: owner, machine } = await runningMachine());
  }, 60_000);

  it('shows a machine’s console to its owner', async () => {
    const reply = await graphql(ASK, { token: owner.token, variables: { id: machine.uuid, kib: 1 } });
    expect(reply.data.vmConsoleLog).toContain('running');
  });

  it('shows it to nobody else', async () => {
    const { token } = await signInToBeta('0');
    expect(codeOf(await graphql(ASK, { token, variables: { id: machine.uuid, kib: 1 } }))).toBe('NOT_FOUND');
  });

  it.each([0, -1, 257])('refuses %i KiB', async (kib) => {
    expect(codeOf(await graphql(ASK, { token: owner.token, variables: { id: machine.id, kib } }))).toBe('BAD_REQUEST');
  });
});

describe('an application of the catalogue', () => {
  const SAVE = `mutation ($slug: String!, $userData: String, $probePort: Int, $probePath: String) {
    adminSaveVmApplication(name: $slug, slug: $slug, description: "X", userData: $userData, probePort: $probePort,
      probePath: $probePath) { userData probePort probePath } }`;
  const slug = () => `a${Math.random().toString(36).slice(2)}`;

  it('has a template and a probe that an administrator sets', async () => {
    const terms = { userData: '#cloud-config\npackages: [nginx]\n', probePort: 80, probePath: '/' };
    expect((await asAdmin(SAVE, { slug: slug(), ...terms })).adminSaveVmApplication).toEqual(terms);
  });

  it('shows its probe to all, its template to administrators', async () => {
    const LIST = '{ vmApplications { slug userData probePort probePath } }';
    const find = (rows: Json[]): Json => rows.find((row) => row.slug === 'grafana');
    const { token } = await signInToBeta('0');
    const mine = find((await graphql(LIST, { token })).data.vmApplications);
    const admins = find((await asAdmin(LIST)).vmApplications);
    expect([mine, admins.userData]).toEqual([
      { slug: 'grafana', userData: null, probePort: 3000, probePath: '/api/health' },
      expect.stringMatching(/^#!/),
    ]);
  });

  it.each([
    { userData: 'rm -rf /' },
    { userData: `#!/bin/sh\n${'x'.repeat(16_384)}` },
    { probePort: 0 },
    { probePort: 65_536 },
    { probePath: '/' },
    { probePort: 80, probePath: 'x' },
    { probePort: 80, probePath: '/a b' },
  ])('refuses %j', async (terms) => {
    await expect(asAdmin(SAVE, { slug: slug(), ...terms })).rejects.toThrow('BAD_REQUEST');
  });
});
