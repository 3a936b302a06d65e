import { execFileSync } from 'node:child_process';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { enroll, enrolledMachine, join, newPublicKey } from '../../kit/network/network.js';
import { call, graphql, type Json } from '../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';
import { tally, twentyAtOnce } from '../../kit/rest/rest-checks.js';

const ERROR = { error: expect.any(String) };
const PEM = (key: Buffer) =>
  `-----BEGIN NEBULA X25519 PUBLIC KEY-----\n${key.toString('base64')}\n-----END NEBULA X25519 PUBLIC KEY-----\n`;

let user: SignedIn;
beforeEach(async () => {
  user = await signInWithNetwork();
});

const keys = async (): Promise<Json[]> => (await call('GET /api/network/enroll-keys/', { token: user.token })).body;
const peer = async (id: number): Promise<Json> =>
  (await call(`GET /api/network/peers/${id}/`, { token: user.token })).body;

describe('GET /network/join.sh', () => {
  let script: string;
  beforeAll(async () => {
    script = (await call('GET /network/join.sh')).text;
  });

  it('is plain text', async () => {
    const { status, headers } = await call('GET /network/join.sh');
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' });
  });

  it('is a script that a POSIX shell can read', () => {
    expect(execFileSync('sh', ['-n'], { input: script }).toString()).toBe('');
  });

  it('knows where the platform is', () => {
    expect(script).toMatch(/^PLATFORM='http:\/\/[\w.]+:\d+'$/m);
  });

  it('is served by the field `joinScript`', async () => {
    const { data } = await graphql('{ joinScript }');
    expect(data.joinScript).toBe(script);
  });
});

describe('POST /network/join/', () => {
  it('answers 201 with a token and where the configuration is', async () => {
    const { setup_key, peer: id } = await enroll(user, { vm_label: 'web' });
    const { status, body } = await join(setup_key);
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        peer: id,
        ip: (await peer(id)).ip,
        label: 'web',
        token: expect.stringMatching(/^arp_peer_[\w-]{43}$/),
        configuration_url: expect.stringMatching(/^http:\/\/[\w.:]+\/api\/network\/configuration\/$/),
      },
    });
  });

  it.each([
    ['PEM', PEM],
    ['base64', (key: Buffer) => key.toString('base64')],
    ['hex', (key: Buffer) => key.toString('hex')],
  ])('takes a public key in %s', async (_, write) => {
    const { setup_key } = await enroll(user);
    const { status } = await join(setup_key, write(newPublicKey()));
    expect(status).toBe(201);
  });

  it('is shown: the key is used, the peer is applying', async () => {
    const { setup_key, peer: id } = await enroll(user);
    expect((await peer(id)).status).toBe('never_seen');
    await join(setup_key);
    expect(await keys()).toMatchObject([{ state: 'used', valid: false, used_times: 1, revoked: false }]);
    expect((await peer(id)).status).toBe('applying');
  });

  it('gives the same peer a new token when the same machine asks again, as an answer may be lost', async () => {
    const { setup_key } = await enroll(user);
    const publicKey = newPublicKey().toString('base64');
    const [first, second] = [await join(setup_key, publicKey), await join(setup_key, publicKey)];
    expect(second.status).toBe(201);
    expect({ ...second.body, token: '' }).toEqual({ ...first.body, token: '' });
    expect(second.body.token).not.toBe(first.body.token);
  });

  it('makes the token of a lost answer useless', async () => {
    const { setup_key } = await enroll(user);
    const publicKey = newPublicKey().toString('base64');
    const [first] = [await join(setup_key, publicKey), await join(setup_key, publicKey)];
    const { status } = await call('GET /api/network/configuration/', { headers: { 'peer-token': first.body.token } });
    expect(status).toBe(401);
  });

  it('refuses with 409 a key that another machine used', async () => {
    const { setup_key } = await enroll(user);
    await join(setup_key);
    const { status, body } = await join(setup_key);
    expect({ status, body }).toEqual({ status: 409, body: ERROR });
  });

  it('lets one of twenty machines in that come with one key at once', async () => {
    const { setup_key } = await enroll(user);
    expect(tally(await twentyAtOnce(() => join(setup_key)))).toEqual({ 201: 1, 409: 19 });
  });

  it('gives one machine that asks twenty times at once one peer', async () => {
    const { setup_key } = await enroll(user);
    const publicKey = newPublicKey().toString('base64');
    const replies = await twentyAtOnce(() => join(setup_key, publicKey));
    expect(tally(replies)).toEqual({ 201: 20 });
    expect(new Set(replies.map(({ body }) => body.peer)).size).toBe(1);
  });

  it('refuses with 409 the public key of another peer', async () => {
    const publicKey = newPublicKey().toString('base64');
    await join((await enroll(user)).setup_key, publicKey);
    const { setup_key } = await enroll(user);
    const { status, body } = await join(setup_key, publicKey);
    expect({ status, body }).toEqual({ status: 409, body: ERROR });
    expect((await keys())[1]).toMatchObject({ state: 'valid' });
  });

  it('lets one machine into the networks of two users', async () => {
    const publicKey = newPublicKey().toString('base64');
    await join((await enroll(user)).setup_key, publicKey);
    const { setup_key } = await enroll(await signInWithNetwork());
    const { status } = await join(setup_key, publicKey);
    expect(status).toBe(201);
  });

  it('is served by the field `joinNetwork`', async () => {
    const { setup_key, peer: id } = await enroll(user);
    const { data } = await graphql(
      'mutation ($key: String!, $public: String!) { joinNetwork(setupKey: $key, publicKey: $public) { peer } }',
      { variables: { key: setup_key, public: newPublicKey().toString('base64') } },
    );
    expect(data.joinNetwork).toEqual({ peer: id });
  });
});

describe('a setup key that is not valid', () => {
  it('is refused with 401 and one sentence, whether unknown, revoked or of a peer that is gone', async () => {
    const unknown = await join(`arp_join_${'x'.repeat(43)}`);
    const { setup_key: revokedKey, id } = await enroll(user);
    await call(`DELETE /api/network/enroll-keys/${id}/`, { token: user.token });
    const revoked = await join(revokedKey);
    const { setup_key: goneKey, peer: goneId } = await enroll(user);
    await call(`DELETE /api/network/peers/${goneId}/`, { token: user.token });
    const gone = await join(goneKey);
    expect([unknown, revoked, gone].map(({ status, text }) => ({ status, text }))).toEqual(
      Array.from({ length: 3 }, () => ({ status: 401, text: unknown.text })),
    );
  });

  it('stays used when it is revoked, and gives no lost answer any more', async () => {
    const { setup_key, id } = await enroll(user);
    const publicKey = newPublicKey().toString('base64');
    await join(setup_key, publicKey);
    await call(`DELETE /api/network/enroll-keys/${id}/`, { token: user.token });
    expect(await keys()).toMatchObject([{ state: 'used', revoked: false }]);
    expect((await join(setup_key, publicKey)).status).toBe(401);
  });

  it('is refused with 401 when it is the token of a peer', async () => {
    const { token } = await enrolledMachine(user);
    expect((await join(token)).status).toBe(401);
  });
});

describe('a public key that is none', () => {
  let setupKey: string;
  beforeEach(async () => {
    setupKey = (await enroll(user)).setup_key;
  });

  /** Points with which every secret agrees on zero, little-endian. Source: cr.yp.to/ecdh.html, libsodium */
  const LOW_ORDER = [
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000000',
    'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
    '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b880',
    '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f11d7',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  ];

  it.each(LOW_ORDER)('is refused with 400 where it is the point of small order %s', async (point) => {
    const { status, body } = await join(setupKey, point);
    expect({ status, body }).toEqual({ status: 400, body: ERROR });
  });

  it.each([
    ['empty', ''],
    ['a word', 'key'],
    ['31 bytes', Buffer.alloc(31, 7).toString('base64')],
    ['33 bytes', Buffer.alloc(33, 7).toString('base64')],
    ['63 hex digits', '7'.repeat(63)],
    ['PEM of another kind', PEM(Buffer.alloc(32, 7)).replaceAll('X25519 PUBLIC', 'ED25519 PUBLIC')],
    ['PEM of 31 bytes', PEM(Buffer.alloc(31, 7))],
    ['two blocks of PEM', PEM(newPublicKey()) + PEM(newPublicKey())],
    ['with U+0000', 'a\0'],
  ])('is refused with 400 where it is %s', async (_, publicKey) => {
    const { status, body } = await join(setupKey, publicKey);
    expect({ status, body }).toEqual({ status: 400, body: ERROR });
  });

  it('leaves the setup key valid', async () => {
    await join(setupKey, LOW_ORDER[0]);
    expect(await keys()).toMatchObject([{ state: 'valid' }]);
  });
});
