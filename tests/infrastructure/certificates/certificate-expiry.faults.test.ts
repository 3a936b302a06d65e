import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Transaction } from '../../../kernel/database/database.js';
import { errorCode } from '../../../kernel/errors.js';
import {
  listCertificates,
  readCertificate,
  renewCertificate,
  requestCertificate,
} from '../../../subgraphs/infrastructure/certificates/certificate.actions.js';
import { revokeCertificate } from '../../../subgraphs/infrastructure/certificates/revoke.actions.js';
import { deletePeer, listPeers } from '../../../subgraphs/network/graph/peer/own-peers.actions.js';
import { CertificateFixture, type CallResult } from '../../kit/network/certificate-fixture.js';
import { decoded, newKeyPair } from '../../kit/network/certificate.js';

const DAY_MS = 86_400_000;

const SEVERITIES = {
  name: 'certificate-severities-of-the-tests',
  text: `SELECT own_severity AS severity FROM accounts.notification WHERE user_id = $1 AND starts_with(key, 'certificate:') ORDER BY id`,
};

let fixture: CertificateFixture;
let userId: number;
beforeAll(async () => {
  fixture = await CertificateFixture.open();
}, 60_000);
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.fate = 'answered';
  userId = await fixture.user();
});

const request = (publicKey?: Buffer) => requestCertificate(fixture.context, userId, publicKey);
const renew = (publicKey?: Buffer) => renewCertificate(fixture.context, userId, publicKey);
const read = () => readCertificate(fixture.context, userId);
const states = async () =>
  (await listCertificates(fixture.context.database, userId, fixture.now)).map(({ state }) => state);
const peers = async () =>
  (await listPeers(fixture.databases.network, { userId } as never, fixture.now)).map(({ ip }) => ip);
const watch = () => fixture.run('watch-certificates');
const days = (count: number) => (fixture.nowMs += count * DAY_MS);

describe('a certificate that grows old', () => {
  it('is told of once when two thirds of its time are over, and once when it ends', async () => {
    const { certificateId, ip } = await request();
    days(19);
    await watch();
    expect(await fixture.notifications(userId)).toEqual([]);
    days(1.1);
    await watch();
    await watch();
    const due = expect.stringMatching(/^Renew your overlay certificate before \d{4}-\d\d-\d\d$/);
    expect(await fixture.notifications(userId)).toEqual([due]);
    days(10);
    await watch();
    await watch();
    expect(await fixture.notifications(userId)).toEqual([due, 'Your overlay certificate has expired']);
    expect(await fixture.databases.accounts.rows(SEVERITIES, [userId])).toEqual([
      { severity: null },
      { severity: 'critical' },
    ]);
    expect(await states()).toEqual(['expired']);
    expect(await read().catch(errorCode)).toBe('NOT_FOUND');
    const renewed = await renew();
    expect(renewed).toMatchObject({ certificateId, ip, isActive: true });
    expect(await states()).toEqual(['active']);
    days(21);
    await watch();
    expect(await fixture.notifications(userId)).toHaveLength(3);
  });

  it('is renewed by a request too, once it has ended', async () => {
    const { certificateId, ip } = await request();
    days(31);
    expect(await request()).toMatchObject({ certificateId, ip, isActive: true });
  });
});

describe.each<CallResult>(['unasked', 'lost'])('a network that gives no answer (%s)', (fate) => {
  it('makes a request fail, and the next one ends with one certificate', async () => {
    fixture.fate = fate;
    expect(await request().catch(errorCode)).toBe('UNAVAILABLE');
    expect(await states()).toEqual([]);
    expect(await read().catch(errorCode)).toBe('NOT_FOUND');
    fixture.fate = 'answered';
    const { ip } = await request();
    expect([await states(), await peers()]).toEqual([['active'], [ip]]);
  });

  it('is asked again by itself where nobody does', async () => {
    fixture.fate = fate;
    await request().catch(errorCode);
    fixture.fate = 'answered';
    fixture.nowMs += 120_000;
    await watch();
    const { ip } = await read();
    expect([await states(), await peers()]).toEqual([['active'], [ip]]);
  });

  it('leaves key and certificate a pair where it was asked for another key', async () => {
    const before = await request();
    const { publicKey } = newKeyPair();
    fixture.fate = fate;
    expect(await renew(publicKey).catch(errorCode)).toBe('UNAVAILABLE');
    fixture.fate = 'answered';
    const after = await read();
    expect(after).toMatchObject({ certificateId: before.certificateId, ip: before.ip, key: null });
    expect(decoded(after.cert).publicKey).toEqual(publicKey);
  });

  it('hears of a revocation as soon as it answers', async () => {
    const { certificateId } = await request();
    fixture.fate = fate;
    expect(await revokeCertificate(fixture.context, userId, certificateId)).toMatchObject({ state: 'revoking' });
    fixture.fate = 'answered';
    expect(await read().catch(errorCode)).toBe('NOT_FOUND');
    // The job of the revocation waits in the queue.
    await watch();
    expect([await states(), await peers()]).toEqual([['revoked'], []]);
  });
});

describe('a peer that its owner deletes between two steps of a request', () => {
  it('leaves nothing in the list of certificates', async () => {
    const change = { viewer: { userId }, now: fixture.now } as never;
    let isDeleted = false;
    const callSubgraph: typeof fixture.context.callSubgraph = async (...call) => {
      const answer = await fixture.context.callSubgraph(...call);
      for (const { id } of isDeleted
        ? []
        : await listPeers(fixture.databases.network, { userId } as never, fixture.now)) {
        isDeleted = true;
        await deletePeer(fixture.databases.network, change, id);
      }
      return answer;
    };
    const { certificateId } = await requestCertificate({ ...fixture.context, callSubgraph }, userId, undefined);
    const listed = await listCertificates(fixture.context.database, userId, fixture.now);
    expect([isDeleted, listed.map((record) => record.certificateId)]).toEqual([true, [certificateId]]);
  });
});

describe('a certificate of another request that is revoked between two statements of this one', () => {
  it('is replaced by a new certificate', async () => {
    const { database } = fixture.context;
    const revoked: number[] = [];
    const run = async (transaction: Transaction, ...[statement, values]: Parameters<Transaction['run']>) => {
      const isFirst = statement.name === 'add-overlay-certificate' && revoked.length === 0;
      const other = isFirst ? await request() : undefined;
      const rows = await transaction.run(statement, values);
      if (other) revoked.push((await revokeCertificate(fixture.context, userId, other.certificateId)).certificateId);
      return rows;
    };
    const change: typeof database.change = (work) =>
      database.change((transaction) =>
        work(Object.create(transaction, { run: { value: run.bind(undefined, transaction) } })),
      );
    const interrupted = { ...fixture.context, database: Object.create(database, { change: { value: change } }) };
    const { certificateId } = await requestCertificate(interrupted, userId, undefined);
    expect([revoked.length, revoked.includes(certificateId), await states()]).toEqual([
      1,
      false,
      ['active', 'revoked'],
    ]);
  });
});

describe('a key that another peer has', () => {
  it('is forgotten again, and the one before stays good', async () => {
    const before = await request();
    const other = newKeyPair().publicKey;
    await fixture.databases.network.change((transaction) =>
      transaction.execute(
        `INSERT INTO network.peer (tenant_id, label, ip, public_key, created_at)
         SELECT id, 'vm', address_range::inet + 99, $2, now() FROM network.tenant WHERE user_id = $1`,
        [userId, other],
      ),
    );
    expect(await renew(other).catch(errorCode)).toBe('CONFLICT');
    expect(await read()).toEqual(before);
    const own = newKeyPair().publicKey;
    expect(decoded((await renew(own)).cert).publicKey).toEqual(own);
  });
});

describe('a holder', () => {
  it('is issued a bounded number of certificates a day', async () => {
    const first = await request();
    const certs = new Set([first.cert]);
    for (let count = 0; count < 23; count++) certs.add((await renew()).cert);
    expect(certs.size).toBe(24);
    expect(await renew().catch(errorCode)).toBe('RATE_LIMITED');
    expect(await renew(newKeyPair().publicKey).catch(errorCode)).toBe('RATE_LIMITED');
    expect(certs).toContain((await read()).cert);
    days(1.01);
    certs.add((await renew()).cert);
    expect(certs.size).toBe(25);
  }, 60_000);

  it('may begin a bounded number of them a day', async () => {
    for (let count = 0; count < 24; count++) {
      const { certificateId } = await request();
      await revokeCertificate(fixture.context, userId, certificateId);
    }
    expect(await request().catch(errorCode)).toBe('RATE_LIMITED');
    expect(await peers()).toEqual([]);
    days(1.01);
    expect(await request()).toMatchObject({ isActive: true });
  }, 60_000);
});
