import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { fingerprintOf } from '../../../subgraphs/network/certificates/certificate/certificate.rules.js';
import { peerOf } from '../../kit/network/graph.js';
import {
  certificatesIn,
  newKeyPair,
  readCertificate,
  renewCertificate,
  requestCertificate,
  revokeCertificate,
  signInWithCredits,
} from '../../kit/network/certificate.js';
import { configurationOf, enrolledMachine } from '../../kit/network/network.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import type { SignedIn } from '../../kit/accounts/wallet.js';
import { ISO_TIME, tally, twentyAtOnce } from '../../kit/rest/rest-checks.js';

const ERROR = { error: expect.any(String) };

const fingerprint = (cert: string): string => fingerprintOf(certificatesIn(cert)[0] ?? Buffer.alloc(0));
const listOf = async ({ token }: SignedIn): Promise<Json[]> => {
  const query = '{ overlayCertificates { certificateId state ip isOwnKey expiresAt createdAt revokedAt } }';
  return (await graphql(query, { token })).data.overlayCertificates;
};
const peersOf = async ({ token }: SignedIn): Promise<Json[]> => (await call('GET /api/network/peers/', { token })).body;

describe('a certificate that is revoked', () => {
  it('is on the list of what every machine refuses, with all that was issued before it', async () => {
    const user = await signInWithCredits();
    const { body: first } = await requestCertificate(user);
    const { body: second } = await renewCertificate(user);
    const machine = await enrolledMachine(user);
    const before = await configurationOf(machine.token);
    expect(parse(before.text).pki.blocklist).toEqual([]);
    const { data } = await revokeCertificate(user, first.certificate_id);
    expect(data.revokeOverlayCertificate).toEqual({
      certificateId: first.certificate_id,
      state: 'revoked',
      ip: first.ip,
      isOwnKey: false,
      revokedAt: expect.stringMatching(ISO_TIME),
    });
    const after = await configurationOf(machine.token);
    expect(parse(after.text).pki.blocklist).toEqual([first.cert, second.cert].map(fingerprint).toSorted());
    expect((await peersOf(user)).map(({ id }) => id)).toEqual([machine.peer]);
  });

  it('is neither read nor renewed any more, and the next one is another', async () => {
    const user = await signInWithCredits();
    const { body: first } = await requestCertificate(user);
    await revokeCertificate(user, first.certificate_id);
    expect(await readCertificate(user)).toMatchObject({ status: 404, body: ERROR });
    expect(await renewCertificate(user)).toMatchObject({ status: 404, body: ERROR });
    const { status, body: next } = await requestCertificate(user);
    expect([status, next.certificate_id === first.certificate_id, next.key === first.key]).toEqual([200, false, false]);
    expect(parse(next.config).pki.blocklist).toEqual([fingerprint(first.cert)]);
    const list = await listOf(user);
    expect(list.map(({ certificateId, state }) => [certificateId, state])).toEqual([
      [next.certificate_id, 'active'],
      [first.certificate_id, 'revoked'],
    ]);
  });

  it('is the same when it is revoked twenty times at once', async () => {
    const user = await signInWithCredits();
    const { body } = await requestCertificate(user);
    const answers = await twentyAtOnce(() => revokeCertificate(user, body.certificate_id));
    expect(new Set(answers.map(({ data }) => data?.revokeOverlayCertificate.revokedAt)).size).toBe(1);
    expect(await peersOf(user)).toEqual([]);
  });

  it.each([2_147_483_647, 0, -1])('must be one: %d is not found', async (id) => {
    const user = await signInWithCredits();
    expect(codeOf(await revokeCertificate(user, id))).toBe('NOT_FOUND');
  });

  it('must be one’s own, and that of others stays', async () => {
    const [user, other] = [await signInWithCredits(), await signInWithCredits()];
    const { body } = await requestCertificate(other);
    expect(codeOf(await revokeCertificate(user, body.certificate_id))).toBe('NOT_FOUND');
    expect((await readCertificate(other)).body.cert).toBe(body.cert);
    expect(await listOf(user)).toEqual([]);
  });
});

describe('a certificate whose peer its owner deletes', () => {
  it('is gone, and the next request makes another', async () => {
    const user = await signInWithCredits();
    const { body: first } = await requestCertificate(user);
    const [peer] = await peersOf(user);
    await call(`DELETE /api/network/peers/${peer.id}/`, { token: user.token });
    expect((await readCertificate(user)).status).toBe(404);
    const replies = await twentyAtOnce(() => requestCertificate(user));
    expect(tally(replies)).toEqual({ 200: 20 });
    expect(new Set(replies.map(({ body }) => body.certificate_id)).size).toBe(1);
    expect(replies[0]?.body.certificate_id).not.toBe(first.certificate_id);
    expect((await listOf(user)).map(({ state }) => state)).toEqual(['active', 'revoked']);
  });
});

describe('a certificate that is revoked while it is asked for', () => {
  it('is made anew for whoever requests it, and not there for whoever renews it', async () => {
    for (let round = 0; round < 4; round++) {
      const user = await signInWithCredits();
      const { body } = await requestCertificate(user);
      const [requests, renewals] = await Promise.all([
        Promise.all(Array.from({ length: 8 }, () => requestCertificate(user))),
        Promise.all(
          Array.from({ length: 6 }, (_, place) =>
            renewCertificate(user, place % 2 ? {} : { public_key: newKeyPair().publicKey.toString('hex') }),
          ),
        ),
        revokeCertificate(user, body.certificate_id),
      ]);
      expect(tally(requests)).toEqual({ 200: 8 });
      const odd = renewals.filter(({ status }) => ![200, 404, 409].includes(status));
      expect(odd).toEqual([]);
    }
  }, 60_000);
});

describe('certificates of a day', () => {
  it('are 24: one more renewal, with the same key or another, is refused, and a certificate is there still', async () => {
    const user = await signInWithCredits();
    await requestCertificate(user);
    for (let count = 1; count < 24; count++) expect((await renewCertificate(user)).status).toBe(200);
    const { body: last } = await requestCertificate(user);
    const public_key = newKeyPair().publicKey.toString('hex');
    for (const input of [{}, { public_key }, { public_key }])
      expect(await renewCertificate(user, input)).toMatchObject({ status: 429, body: ERROR });
    expect(await requestCertificate(user)).toMatchObject({ status: 200, body: last });
    expect((await readCertificate(user)).body.cert).toBe(last.cert);
  }, 60_000);
});

describe('a certificate whose key is exchanged', () => {
  it('is refused with the key before', async () => {
    const user = await signInWithCredits();
    const { body: before } = await requestCertificate(user);
    const { body: after } = await renewCertificate(user, { public_key: newKeyPair().publicKey.toString('hex') });
    expect(parse(after.config).pki.blocklist).toEqual([fingerprint(before.cert)]);
    expect(await listOf(user)).toMatchObject([{ state: 'active', isOwnKey: true }]);
  });
});

describe('the configuration of a certificate', () => {
  it('lets in whom the policies of the network let in, as the network is now', async () => {
    const user = await signInWithCredits();
    const { body } = await requestCertificate(user);
    const openTo = (config: string): Json[] =>
      parse(config).firewall.inbound.map(({ proto, cidr }: Json) => [proto, cidr]);
    expect(openTo(body.config)).toEqual([['any', `${body.ip}/32`]]);
    await peerOf(user);
    expect(openTo((await readCertificate(user)).body.config)).toEqual([['any', `${body.ip}/31`]]);
  });
});
