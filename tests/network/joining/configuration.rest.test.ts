import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { decodeCertificate } from '../../../subgraphs/network/certificates/certificate/certificate.rules.js';
import { certificatesIn } from '../../kit/network/certificate.js';
import { configurationOf, enrolledMachine, hashOf, report } from '../../kit/network/network.js';
import { call, graphql, type Json } from '../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';
import { ISO_TIME } from '../../kit/rest/rest-checks.js';

const ERROR = { error: expect.any(String) };
const NO_HASH = '0'.repeat(64);
let user: SignedIn;
let machine: Json;
beforeEach(async () => {
  user = await signInWithNetwork();
  machine = await enrolledMachine(user, { vm_label: 'web' });
});

const peer = async (id = machine.peer): Promise<Json> =>
  (await call(`GET /api/network/peers/${id}/`, { token: user.token })).body;
const addGroup = (label: string) => call('POST /api/network/groups/', { token: user.token, body: { label } });
const remove = (id: number) => call(`DELETE /api/network/peers/${id}/`, { token: user.token });

const certificateName = async (token: string): Promise<string | undefined> => {
  const { text } = await configurationOf(token);
  const certificates = certificatesIn(text.replaceAll(/^ +/gm, '')).map((bytes) => decodeCertificate(bytes));
  return certificates.find(({ isAuthority }) => !isAuthority)?.name;
};

describe('GET /network/configuration/', () => {
  it('answers a text with its SHA-256 as ETag', async () => {
    const reply = await configurationOf(machine.token);
    const { status, text, headers } = reply;
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' });
    expect(hashOf(reply)).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('holds a certificate and its authority, no private key, and where the lighthouse is', async () => {
    const { text } = await configurationOf(machine.token);
    expect(text.match(/BEGIN NEBULA CERTIFICATE/g)).toHaveLength(2);
    expect(text).not.toMatch(/PRIVATE KEY/);
    expect(text).toMatch(/static_host_map:\n {2}"100\.\d+\.\d+\.1": \["[\w.]+:\d+"\]/);
  });

  it.each([
    ['My VM (prod)', 'my-vm-prod'],
    ['日本', 'vm'],
    ['x'.repeat(100), undefined],
    ['a: {listen: 1} #', 'a-listen-1'],
  ])('names in the certificate of %j a host name that no other peer has', async (vm_label, words) => {
    const [first, second] = [await enrolledMachine(user, { vm_label }), await enrolledMachine(user, { vm_label })];
    const names = await Promise.all([first, second].map(({ token }) => certificateName(token)));
    if (words) expect(names).toEqual([`${words}-${first.peer}`, `${words}-${second.peer}`]);
    expect(names).toEqual(names.map(() => expect.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/)));
    expect(names[0]).not.toBe(names[1]);
  });

  it('is the same when it is asked for again', async () => {
    const [first, second] = [await configurationOf(machine.token), await configurationOf(machine.token)];
    expect(second.text).toBe(first.text);
  });

  it('answers 304 without a body where it is known', async () => {
    const known = hashOf(await configurationOf(machine.token));
    const reply = await configurationOf(machine.token, { known });
    expect({ status: reply.status, text: reply.text, hash: hashOf(reply) }).toEqual({
      status: 304,
      text: '',
      hash: known,
    });
  });

  it.each(['%', '"%-gzip"', '"gzip-%"', '"%', '"a", %', '"%" junk'])(
    'answers with all of the text to who sends %s',
    async (form) => {
      const before = await configurationOf(machine.token);
      const headers = { 'peer-token': machine.token, 'if-none-match': form.replace('%', hashOf(before)) };
      const { status, text } = await call('GET /api/network/configuration/', { headers });
      expect({ status, text }).toEqual({ status: 200, text: before.text });
    },
  );

  it('waits for another where it is known', async () => {
    const known = hashOf(await configurationOf(machine.token));
    const waiting = configurationOf(machine.token, { known, waitSeconds: 20 });
    const { body: tenant } = await call('GET /api/network/me/', { token: user.token });
    await call('POST /api/network/policies/', {
      token: user.token,
      body: { source_group: tenant.default_group, dest_group: tenant.default_group, action: 'drop', protocol: 'icmp' },
    });
    const reply = await waiting;
    expect(reply.status).toBe(200);
    expect(hashOf(reply)).not.toBe(known);
  });

  it('answers 304 when the time is over', async () => {
    const known = hashOf(await configurationOf(machine.token));
    const { status } = await configurationOf(machine.token, { known, waitSeconds: 1 });
    expect(status).toBe(304);
  });

  it('is waited for eight times at once by a machine, and no more', async () => {
    const known = hashOf(await configurationOf(machine.token));
    const waiting = Array.from({ length: 12 }, () => configurationOf(machine.token, { known, waitSeconds: 1 }));
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([...Array(8).fill(304), ...Array(4).fill(429)]);
  });

  it('does not change with what has no part in it', async () => {
    const known = hashOf(await configurationOf(machine.token));
    await addGroup('unused');
    const { status } = await configurationOf(machine.token, { known, waitSeconds: 1 });
    expect(status).toBe(304);
  });

  it('is not waited for any more by a machine whose peer is deleted', async () => {
    const known = hashOf(await configurationOf(machine.token));
    const waiting = configurationOf(machine.token, { known, waitSeconds: 20 });
    await configurationOf(machine.token);
    await remove(machine.peer);
    const { status, body } = await waiting;
    expect({ status, body }).toEqual({ status: 401, body: ERROR });
  });

  it('names on the blocklist of all others the certificate of a peer that was deleted', async () => {
    const other = await enrolledMachine(user);
    const [, before] = [await configurationOf(other.token), await configurationOf(machine.token)];
    await remove(other.peer);
    const { text } = await configurationOf(machine.token, { known: hashOf(before), waitSeconds: 20 });
    expect(before.text).toMatch(/blocklist: \[\]/);
    expect(text).toMatch(/blocklist:\n {4}- "[0-9a-f]{64}"/);
  });

  it('names the subnets that lie behind a router in its certificate, and to the others', async () => {
    const other = await enrolledMachine(user);
    const { body: tenant } = await call('GET /api/network/me/', { token: user.token });
    const network = `/api/network/networks/${tenant.default_network}`;
    const before = await configurationOf(machine.token);
    await call(`POST ${network}/resources/`, {
      token: user.token,
      body: { name: 'office', address: '192.168.7.0/24', groups: [tenant.default_group] },
    });
    await call(`POST ${network}/routers/`, { token: user.token, body: { peer: machine.peer } });
    const { text } = await configurationOf(machine.token, { known: hashOf(before), waitSeconds: 20 });
    expect(text).toMatch(/subnets:\n {4}- "192\.168\.7\.0\/24"/);
    expect((await configurationOf(other.token)).text).toContain(`route: "192.168.7.0/24", via: "${machine.ip}"`);
  });

  it('gives others a route once the router’s certificate carries it, and ends the certificate before', async () => {
    const { token } = user;
    const [router, other] = [machine, await enrolledMachine(user)];
    const { body: tenant } = await call('GET /api/network/me/', { token });
    await Promise.all([configurationOf(router.token), configurationOf(other.token)]);
    const network = `/api/network/networks/${tenant.default_network}`;
    const office = { name: 'office', address: '192.168.7.0/24', groups: [tenant.default_group] };
    await call(`POST ${network}/resources/`, { token, body: office });
    await call(`POST ${network}/routers/`, { token, body: { peer: router.peer } });
    const before = await configurationOf(other.token);
    expect(before.text).toContain('unsafe_routes: []');
    expect(before.text).toContain('blocklist: []');
    await configurationOf(router.token);
    const { text } = await configurationOf(other.token, { known: hashOf(before), waitSeconds: 20 });
    expect(text).toContain(`route: "192.168.7.0/24", via: "${router.ip}"`);
    expect(text).toMatch(/blocklist:\n {4}- "[0-9a-f]{64}"/);
  });

  it.each([
    ['no token', {}],
    ['an unknown token', { 'peer-token': 'arp_peer_x' }],
    ['an empty token', { 'peer-token': '' }],
  ])('refuses with 401 %s', async (_, headers) => {
    const { status, body } = await call('GET /api/network/configuration/', { headers });
    expect({ status, body }).toEqual({ status: 401, body: ERROR });
  });

  it('refuses with 401 the token of a user', async () => {
    const { status } = await configurationOf(user.token);
    expect(status).toBe(401);
  });

  it('is served by the field `peerConfiguration`', async () => {
    const { text } = await configurationOf(machine.token);
    const { data } = await graphql('query ($token: String!) { peerConfiguration(peerToken: $token) { text } }', {
      variables: { token: machine.token },
    });
    expect(data.peerConfiguration).toEqual({ text });
  });
});

describe('POST /network/report/', () => {
  it('makes the peer in force when it runs what it should', async () => {
    const applied = hashOf(await configurationOf(machine.token));
    const { status, body } = await report(machine.token, { applied });
    expect({ status, body }).toEqual({ status: 200, body: { peer: machine.peer, status: 'in_force' } });
    expect(await peer()).toMatchObject({
      status: 'in_force',
      applied,
      last_seen: expect.stringMatching(ISO_TIME),
    });
  });

  it('leaves the peer applying while it runs something else', async () => {
    await configurationOf(machine.token);
    const { body } = await report(machine.token, { applied: NO_HASH });
    expect(body.status).toBe('applying');
  });

  it('takes what else a machine tells, such as its version', async () => {
    const { status } = await report(machine.token, { applied: NO_HASH, version: '1.6.1', peer: machine.peer });
    expect(status).toBe(200);
  });

  it('makes the revision grow when the status changes, and only then', async () => {
    const revision = async () =>
      (await graphql('{ topology { revision } }', { token: user.token })).data.topology.revision;
    const applied = hashOf(await configurationOf(machine.token));
    const before = await revision();
    await report(machine.token, { applied });
    const after = await revision();
    await report(machine.token, { applied });
    expect([after > before, await revision()]).toEqual([true, after]);
  });

  it('refuses with 403 to hear of another peer', async () => {
    const other = await enrolledMachine(user);
    const { status, body } = await report(machine.token, { applied: NO_HASH, peer: other.peer });
    expect({ status, body }).toEqual({ status: 403, body: ERROR });
  });

  it.each([
    ['is missing', {}],
    ['is too short', { applied: 'abc' }],
    ['is in capitals', { applied: 'A'.repeat(64) }],
    ['is a number', { applied: 7 }],
  ])('refuses with 400 a hash that %s', async (_, body) => {
    const { status, body: answer } = await report(machine.token, body);
    expect({ status, answer }).toEqual({ status: 400, answer: ERROR });
  });

  it('refuses with 401 a token that nobody has, whatever is reported', async () => {
    const { status, body } = await report('arp_peer_x', {});
    expect({ status, body }).toEqual({ status: 401, body: ERROR });
  });

  it('refuses with 401 the token of a peer that was deleted', async () => {
    await remove(machine.peer);
    const { status } = await report(machine.token, { applied: NO_HASH });
    expect(status).toBe(401);
  });
});
