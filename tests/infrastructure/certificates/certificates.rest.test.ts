import { beforeAll, describe, expect, it } from '@jest/globals';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { parse } from 'yaml';
import { readPem } from '../../../kernel/security/host-key.js';
import { peerOf, tenantOf } from '../../kit/network/graph.js';
import {
  certificatesIn,
  decoded,
  newKeyPair,
  readCertificate,
  refusalBy,
  renewCertificate,
  requestCertificate,
  signInWithCredits,
} from '../../kit/network/certificate.js';
import { call, type Json } from '../../kit/platform.js';
import { serviceToken, type SignedIn } from '../../kit/accounts/wallet.js';
import { fieldsOf, ISO_TIME, tally, twentyAtOnce } from '../../kit/rest/rest-checks.js';

const ERROR = { error: expect.any(String) };
const FILES = ['ca', 'cert', 'certificate_id', 'config', 'ip', 'key'];

let user: SignedIn;
let made: Json;
beforeAll(async () => {
  user = await signInWithCredits();
  ({ body: made } = await requestCertificate(user));
});

/** The public half of a private key in PEM. */
function publicOf(pem: string): Buffer {
  const raw = readPem('hostKey', pem) ?? Buffer.alloc(0);
  const der = Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), raw]);
  const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  return key.export({ format: 'der', type: 'spki' }).subarray(-32);
}

const balanceOf = async ({ token }: SignedIn): Promise<string> =>
  (await call('GET /api/billing/credits/balance/', { token })).body.balance;

describe('POST /infrastructure/certificates/request/', () => {
  it('answers 200 and the documented fields', () => {
    expect(fieldsOf(made)).toEqual(FILES);
    expect(made).toMatchObject({
      certificate_id: expect.any(Number),
      ip: expect.stringMatching(/^100\.\d+\.\d+\.\d+$/),
      config: expect.any(String),
    });
  });

  it('answers a certificate that its authority vouches for, for a key that goes with it', async () => {
    const { address_range: range } = await tenantOf(user);
    expect(refusalBy(made.ca, made.cert)).toBeUndefined();
    const { ips, publicKey, isAuthority, notAfter } = decoded(made.cert);
    expect(ips).toEqual([`${made.ip}/${range.split('/')[1]}`]);
    expect(publicKey).toEqual(publicOf(made.key));
    expect([isAuthority, decoded(made.ca).ips]).toEqual([false, [range]]);
    expect((notAfter.getTime() - Date.now()) / 86_400_000).toBeCloseTo(30, 1);
  });

  it('answers a configuration whose root has the three files', () => {
    const { pki, tun, firewall, lighthouse } = parse(made.config);
    expect(pki).toMatchObject({ ca: made.ca, cert: made.cert, key: made.key, disconnect_invalid: true });
    expect([tun.disabled, lighthouse.am_lighthouse, firewall.inbound.length > 0]).toEqual([false, false, true]);
  });

  it('spends no credits', async () => {
    expect(await balanceOf(user)).toMatch(/^10(?:\.0+)?$/);
  });

  it('answers the same certificate again', async () => {
    const { status, body } = await requestCertificate(user, {});
    expect({ status, body }).toEqual({ status: 200, body: made });
  });

  it('makes its holder a peer of the private network', async () => {
    const { body: peers } = await call('GET /api/network/peers/', { token: user.token });
    expect(peers).toMatchObject([{ label: `certificate-${made.certificate_id}`, ip: made.ip }]);
  });

  it('gives an address that no peer has, whoever is first', async () => {
    const first = await signInWithCredits();
    await call('POST /api/network/provision/', { token: first.token });
    await peerOf(first);
    const { body } = await requestCertificate(first);
    await peerOf(first);
    const { body: peers } = await call('GET /api/network/peers/', { token: first.token });
    const addresses = peers.map(({ ip }: Json) => ip);
    expect([addresses.length, new Set(addresses).size, addresses.includes(body.ip)]).toEqual([3, 3, true]);
  });

  it.each(['0', '9.999999999999999999'])('refuses who has %s credits, with both figures', async (credits) => {
    const poor = await signInWithCredits(credits);
    const { status, body } = await requestCertificate(poor);
    expect({ status, body }).toEqual({
      status: 402,
      body: { ...ERROR, required_credits: 10, current_credits: Math.min(Number(credits), 9.999999999999998) },
    });
    expect((await readCertificate(poor)).status).toBe(404);
    expect((await call('GET /api/network/me/', { token: poor.token })).status).toBe(403);
  });

  it('makes one where twenty are asked for at once, at one address', async () => {
    const other = await signInWithCredits();
    const replies = await twentyAtOnce(() => requestCertificate(other));
    expect(tally(replies)).toEqual({ 200: 20 });
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const { body: peers } = await call('GET /api/network/peers/', { token: other.token });
    expect(peers.map(({ ip }: Json) => ip)).toEqual([replies[0]?.body.ip]);
  });

  it('refuses services, which have no network', async () => {
    const token = await serviceToken('VALIDATOR');
    expect(await requestCertificate({ token })).toMatchObject({ status: 403, body: ERROR });
  });
});

describe('a public key of one’s own', () => {
  it.each([
    ['base64', (key: Buffer) => key.toString('base64')],
    ['hex', (key: Buffer) => key.toString('hex')],
    [
      'PEM',
      (key: Buffer) =>
        `-----BEGIN NEBULA X25519 PUBLIC KEY-----\n${key.toString('base64')}\n-----END NEBULA X25519 PUBLIC KEY-----\n`,
    ],
  ])('in %s is certified, and no private key is made', async (_, written) => {
    const own = await signInWithCredits();
    const { publicKey } = newKeyPair();
    const { status, body } = await requestCertificate(own, { public_key: written(publicKey) });
    expect({ status, key: body.key }).toEqual({ status: 200, key: null });
    expect(decoded(body.cert).publicKey).toEqual(publicKey);
    expect(parse(body.config).pki.key).toBe('/etc/nebula/host.key');
    expect((await requestCertificate(own)).body).toEqual(body);
  });

  it.each([
    ['no text', 7],
    ['no key', 'abc'],
    ['nothing', ''],
    ['31 bytes', Buffer.alloc(31, 7).toString('base64')],
    ['33 bytes', Buffer.alloc(33, 7).toString('base64')],
    ['zero, with which nothing can be agreed on', '00'.repeat(32)],
    ['a point of low order', 'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800'],
    ['a coordinate beyond the field', 'ff'.repeat(32)],
    ['a private key', '-----BEGIN NEBULA X25519 PRIVATE KEY-----\nAAAA\n-----END NEBULA X25519 PRIVATE KEY-----'],
  ])('that is %s is refused, and nothing is made', async (_, key) => {
    const own = await signInWithCredits();
    expect(await requestCertificate(own, { public_key: key })).toMatchObject({ status: 400, body: ERROR });
    expect((await readCertificate(own)).status).toBe(404);
    expect(await renewCertificate(user, { public_key: key })).toMatchObject({ status: 400, body: ERROR });
  });

  it('that is another than that of the certificate is refused, and renewal takes it', async () => {
    const own = await signInWithCredits();
    const { body: before } = await requestCertificate(own);
    const publicKey = newKeyPair().publicKey;
    const input = { public_key: publicKey.toString('base64') };
    expect(await requestCertificate(own, input)).toMatchObject({ status: 409, body: ERROR });
    const { status, body } = await renewCertificate(own, input);
    expect({ status, ip: body.ip, id: body.certificate_id, key: body.key }).toEqual({
      status: 200,
      ip: before.ip,
      id: before.certificate_id,
      key: null,
    });
    expect(decoded(body.cert).publicKey).toEqual(publicKey);
    expect((await requestCertificate(own, input)).body).toEqual(body);
  });

  it('that a peer of the network has is refused, and the certificate stays as it was', async () => {
    const own = await signInWithCredits();
    await call('POST /api/network/provision/', { token: own.token });
    const { body: enrolled } = await call('POST /api/network/peers/enroll/', { token: own.token, body: {} });
    const public_key = newKeyPair().publicKey.toString('base64');
    await call('POST /api/network/join/', { body: { setup_key: enrolled.setup_key, public_key } });
    expect(await requestCertificate(own, { public_key })).toMatchObject({ status: 409, body: ERROR });
    const { status, body } = await requestCertificate(own);
    expect(status).toBe(200);
    expect(await renewCertificate(own, { public_key })).toMatchObject({ status: 409, body: ERROR });
    expect((await requestCertificate(own)).body).toEqual(body);
  });
});

describe('GET /infrastructure/certificates/', () => {
  it('answers the certificate with its state', async () => {
    const { status, body } = await readCertificate(user);
    const { is_active, expires_at, created_at, ...files } = body;
    expect({ status, files, is_active }).toEqual({ status: 200, files: made, is_active: true });
    expect([expires_at, created_at]).toEqual([expect.stringMatching(ISO_TIME), expect.stringMatching(ISO_TIME)]);
    expect(new Date(expires_at)).toEqual(decoded(made.cert).notAfter);
  });

  it('answers 404 to who has none, whatever others have', async () => {
    const other = await signInWithCredits();
    expect(await readCertificate(other)).toMatchObject({ status: 404, body: ERROR });
    expect(await renewCertificate(other)).toMatchObject({ status: 404, body: ERROR });
  });

  it('shows two users each their own, under authorities of their own', async () => {
    const other = await signInWithCredits();
    const { body: theirs } = await requestCertificate(other);
    expect(theirs.certificate_id).not.toBe(made.certificate_id);
    expect(certificatesIn(theirs.ca)).not.toEqual(certificatesIn(made.ca));
    expect(refusalBy(made.ca, theirs.cert)).toBe('it was signed by another authority');
    expect((await readCertificate(other)).body.key).toBe(theirs.key);
  });
});

describe('POST /infrastructure/certificates/renew/', () => {
  it('answers another certificate under the same id, at the same address', async () => {
    const own = await signInWithCredits();
    const { body: before } = await requestCertificate(own);
    const { status, body } = await renewCertificate(own);
    expect(fieldsOf(body)).toEqual(FILES);
    expect({ status, ...body }).toMatchObject({ status: 200, ip: before.ip, certificate_id: before.certificate_id });
    expect([body.cert === before.cert, body.key === before.key]).toEqual([false, true]);
    expect([refusalBy(body.ca, body.cert), refusalBy(body.ca, before.cert)]).toEqual([undefined, undefined]);
    expect((await readCertificate(own)).body.cert).toBe(body.cert);
  });

  it('keeps the address where twenty renew at once, and every answer is a pair', async () => {
    const own = await signInWithCredits();
    const { body: before } = await requestCertificate(own);
    const replies = await twentyAtOnce(() => renewCertificate(own));
    expect(tally(replies)).toEqual({ 200: 20 });
    expect(new Set(replies.map(({ body }) => body.ip))).toEqual(new Set([before.ip]));
    const pairs = replies.map(({ body }) => decoded(body.cert).publicKey.equals(publicOf(body.key)));
    expect(pairs.filter((isPair) => !isPair)).toEqual([]);
  });

  it('settles on one key where twenty come with one each', async () => {
    const own = await signInWithCredits();
    await requestCertificate(own);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        renewCertificate(own, { public_key: newKeyPair().publicKey.toString('base64') }),
      ),
    );
    const { 200: taken = 0, 409: refused = 0 } = tally(replies);
    expect([taken > 0, taken + refused]).toEqual([true, 20]);
    const [{ body: first }, { body: second }] = [await readCertificate(own), await readCertificate(own)];
    expect([first, first.key]).toEqual([second, null]);
    expect(refusalBy(first.ca, first.cert)).toBeUndefined();
  });
});
