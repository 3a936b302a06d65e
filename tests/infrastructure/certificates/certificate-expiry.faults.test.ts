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

let room: CertificateFixture;
let userId: number;
beforeAll(async () => {
  room = await CertificateFixture.open();
}, 60_000);
afterAll(() => room.close());
beforeEach(async () => {
  room.fate = 'answered';
  userId = await room.user();
});

const request = (publicKey?: Buffer) => requestCertificate(room.context, userId, publicKey);
const renew = (publicKey?: Buffer) => renewCertificate(room.context, userId, publicKey);
const read = () => readCertificate(room.context, userId);
const states = async () => (await listCertificates(room.context.database, userId, room.now)).map(({ state }) => state);
const peers = async () => (await listPeers(room.databases.network, { userId } as never, room.now)).map(({ ip }) => ip);
const watch = () => room.run('watch-certificates');
const days = (count: number) => (room.nowMs += count * DAY_MS);

describe('a certificate that grows old', () => {
  it('is told of once when two thirds of its time are over, and once when it ends', async () => {
    const { certificateId, ip } = await request();
    days(19);
    await watch();
    expect(await room.notices(userId)).toEqual([]);
    days(1.1);
    await watch();
    await watch();
    const due = expect.stringMatching(/^Renew your overlay certificate before \d{4}-\d\d-\d\d$/);
    expect(await room.notices(userId)).toEqual([due]);
    days(10);
    await watch();
    await watch();
    expect(await room.notices(userId)).toEqual([due, 'Your overlay certificate has expired']);
    expect(await states()).toEqual(['expired']);
    expect(await read().catch(errorCode)).toBe('NOT_FOUND');
    const renewed = await renew();
    expect(renewed).toMatchObject({ certificateId, ip, isActive: true });
    expect(await states()).toEqual(['active']);
    days(21);
    await watch();
    expect(await room.notices(userId)).toHaveLength(3);
  });

  it('is renewed by a request too, once it has ended', async () => {
    const { certificateId, ip } = await request();
    days(31);
    expect(await request()).toMatchObject({ certificateId, ip, isActive: true });
  });
});

describe.each<CallResult>(['unasked', 'lost'])('a network that gives no answer (%s)', (fate) => {
  it('makes a request fail, and the next one ends with one certificate', async () => {
    room.fate = fate;
    expect(await request().catch(errorCode)).toBe('UNAVAILABLE');
    expect(await states()).toEqual([]);
    expect(await read().catch(errorCode)).toBe('NOT_FOUND');
    room.fate = 'answered';
    const { ip } = await request();
    expect([await states(), await peers()]).toEqual([['active'], [ip]]);
  });

  it('is asked again by itself where nobody does', async () => {
    room.fate = fate;
    await request().catch(errorCode);
    room.fate = 'answered';
    room.nowMs += 120_000;
    await watch();
    const { ip } = await read();
    expect([await states(), await peers()]).toEqual([['active'], [ip]]);
  });

  it('leaves key and certificate a pair where it was asked for another key', async () => {
    const before = await request();
    const { publicKey } = newKeyPair();
    room.fate = fate;
    expect(await renew(publicKey).catch(errorCode)).toBe('UNAVAILABLE');
    room.fate = 'answered';
    const after = await read();
    expect(after).toMatchObject({ certificateId: before.certificateId, ip: before.ip, key: null });
    expect(decoded(after.cert).publicKey).toEqual(publicKey);
  });

  it('hears of a revocation as soon as it answers', async () => {
    const { certificateId } = await request();
    room.fate = fate;
    expect(await revokeCertificate(room.context, userId, certificateId)).toMatchObject({ state: 'revoking' });
    room.fate = 'answered';
    expect(await read().catch(errorCode)).toBe('NOT_FOUND');
    // The job of the revocation waits in the queue.
    await watch();
    expect([await states(), await peers()]).toEqual([['revoked'], []]);
  });
});

describe('a peer that its owner deletes between two steps of a request', () => {
  it('leaves nothing in the list of certificates', async () => {
    const change = { viewer: { userId }, now: room.now } as never;
    let isDeleted = false;
    const callSubgraph: typeof room.context.callSubgraph = async (...call) => {
      const answer = await room.context.callSubgraph(...call);
      for (const { id } of isDeleted ? [] : await listPeers(room.databases.network, { userId } as never, room.now)) {
        isDeleted = true;
        await deletePeer(room.databases.network, change, id);
      }
      return answer;
    };
    const { certificateId } = await requestCertificate({ ...room.context, callSubgraph }, userId, undefined);
    const listed = await listCertificates(room.context.database, userId, room.now);
    expect([isDeleted, listed.map((record) => record.certificateId)]).toEqual([true, [certificateId]]);
  });
});

describe('a certificate of another request that is revoked between two statements of this one', () => {
  it('is replaced by a new certificate', async () => {
    const { database } = room.context;
    const revoked: number[] = [];
    const run = async (transaction: Transaction, ...[statement, values]: Parameters<Transaction['run']>) => {
      const isFirst = statement.name === 'add-overlay-certificate' && revoked.length === 0;
      const other = isFirst ? await request() : undefined;
      const rows = await transaction.run(statement, values);
      if (other) revoked.push((await revokeCertificate(room.context, userId, other.certificateId)).certificateId);
      return rows;
    };
    const change: typeof database.change = (work) =>
      database.change((transaction) =>
        work(Object.create(transaction, { run: { value: run.bind(undefined, transaction) } })),
      );
    const interrupted = { ...room.context, database: Object.create(database, { change: { value: change } }) };
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
    await room.databases.network.change((transaction) =>
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
      await revokeCertificate(room.context, userId, certificateId);
    }
    expect(await request().catch(errorCode)).toBe('RATE_LIMITED');
    expect(await peers()).toEqual([]);
    days(1.01);
    expect(await request()).toMatchObject({ isActive: true });
  }, 60_000);
});
