import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { openSecretBox, type SecretBox } from '../../../kernel/security/secret-box.js';
import {
  issueCertificate,
  revokedCertificates,
  trustedAuthorities,
  type CertificateOwner,
} from '../../../subgraphs/network/certificates/authority/authority.actions.js';
import {
  decodeCertificate,
  fingerprintOf,
} from '../../../subgraphs/network/certificates/certificate/certificate.rules.js';
import { refusalOf } from '../../kit/network/certificate-verification.js';
import { pemOf, readPem } from '../../../kernel/security/host-key.js';
import { newDatabase } from '../../kit/database/own-database.js';

const NOW = new Date('2027-03-01T12:00:00.500Z');
const DAY_MS = 86_400_000;
const OWNER: CertificateOwner = {
  id: 7,
  label: 'vm-7',
  ip: '100.64.0.17',
  publicKey: Buffer.alloc(32, 9),
  subnets: [],
};

let dataDir: string;
let database: Database;
let secretBox: SecretBox;
let lastTenant = 0;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  secretBox = await openSecretBox({ dataDir, dataKeys: [] });
  database = connectDatabase({ url: await newDatabase(), schema: 'network', log: openLog('silent', 'test') });
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

const execute = <Row extends object>(text: string, values: unknown[] = []) =>
  database.change((transaction) => transaction.execute<Row>(text, values));

async function newTenant(): Promise<{ id: number; addressRange: string }> {
  lastTenant += 1;
  const addressRange = `100.64.${lastTenant * 8}.0/21`;
  const [tenant] = await execute<{ id: number }>(
    `INSERT INTO network.tenant (user_id, status, address_range, range_number, created_at)
     VALUES ($1, 'active', $2, $1, $3) RETURNING id`,
    [lastTenant, addressRange, NOW],
  );
  return { id: tenant?.id ?? 0, addressRange };
}

function issue(tenant: { id: number; addressRange: string }, changes: Partial<CertificateOwner> = {}, now = NOW) {
  const peer = { ...OWNER, ip: tenant.addressRange.replace('.0/21', '.17'), ...changes };
  return database.change((transaction) => issueCertificate(transaction, secretBox, { tenant, peer, now }));
}

async function authoritiesOf(tenantId: number, now = NOW): Promise<Buffer[]> {
  const blocks = (await trustedAuthorities(database, tenantId, now)).split(/(?<=-----END NEBULA CERTIFICATE-----\n)/);
  return blocks.flatMap((block) => readPem('certificate', block) ?? []);
}

describe('an authority', () => {
  it('is made at first use, for the tenant’s range and ten years', async () => {
    const tenant = await newTenant();
    expect(await trustedAuthorities(database, tenant.id, NOW)).toBe('');
    await issue(tenant);
    const [authority, ...others] = await authoritiesOf(tenant.id);
    expect(others).toEqual([]);
    expect(decodeCertificate(authority ?? Buffer.alloc(0))).toMatchObject({
      ips: [tenant.addressRange],
      subnets: [],
      groups: [],
      isAuthority: true,
      issuer: '',
      notBefore: new Date('2027-02-28T12:00:00Z'),
      notAfter: new Date('2037-02-28T12:00:00Z'),
    });
  });

  it('is one when twenty peers need it at once, and vouches for all of them', async () => {
    const tenant = await newTenant();
    const issued = await Promise.all(Array.from({ length: 20 }, (_, id) => issue(tenant, { id: 100 + id })));
    const [authority = Buffer.alloc(0), ...others] = await authoritiesOf(tenant.id);
    expect(others).toEqual([]);
    expect(issued.map(({ certificate }) => refusalOf(certificate, authority, NOW))).toEqual(
      issued.map(() => undefined),
    );
  });

  it('is one when peers need it while the graph changes under the tenant’s row', async () => {
    const tenant = await newTenant();
    const change = (id: number) =>
      database.change(async (transaction) => {
        const ip = tenant.addressRange.replace('.0/21', '.18');
        const request = { tenant, peer: { ...OWNER, id, ip, publicKey: Buffer.alloc(32, id) }, now: NOW };
        const grow = () =>
          transaction.execute('UPDATE network.tenant SET revision = revision + 1 WHERE id = $1', [tenant.id]);
        if (id % 2 === 0) await grow();
        await issueCertificate(transaction, secretBox, request);
        if (id % 2 === 1) await grow();
      });
    await Promise.all(Array.from({ length: 20 }, (_, id) => change(id)));
    expect(await authoritiesOf(tenant.id)).toHaveLength(1);
  });

  it('is another for another tenant', async () => {
    const [one, other] = [await newTenant(), await newTenant()];
    const { certificate } = await issue(one);
    await issue(other);
    const [foreign = Buffer.alloc(0)] = await authoritiesOf(other.id);
    expect(refusalOf(certificate, foreign, NOW)).toBe('it was signed by another authority');
  });

  it('keeps its key sealed, for this tenant only', async () => {
    const tenant = await newTenant();
    await issue(tenant);
    const [row] = await execute<{ sealed: string }>(
      'SELECT sealed_key AS sealed FROM network.authority WHERE tenant_id = $1',
      [tenant.id],
    );
    const sealed = row?.sealed ?? '';
    expect(sealed).not.toContain('NEBULA');
    const key = readPem('authorityKey', secretBox.open(sealed, `network-authority:${tenant.id}`));
    const [authority = Buffer.alloc(0)] = await authoritiesOf(tenant.id);
    expect(key?.subarray(32)).toEqual(decodeCertificate(authority).publicKey);
    expect(() => secretBox.open(sealed, `network-authority:${tenant.id + 1}`)).toThrow();
  });

  it('is followed by the next before it ends, and both are trusted meanwhile', async () => {
    const tenant = await newTenant();
    await issue(tenant);
    const late = new Date('2037-02-22T12:00:00Z');
    const { certificate } = await issue(tenant, {}, late);
    const authorities = await authoritiesOf(tenant.id, late);
    expect(authorities.map((authority) => refusalOf(certificate, authority, late))).toEqual([
      'it was signed by another authority',
      undefined,
    ]);
    expect(await authoritiesOf(tenant.id, new Date('2037-03-01T00:00:00Z'))).toHaveLength(1);
  });
});

describe('a certificate of a peer', () => {
  it('lives seven days, and began a while ago', async () => {
    const tenant = await newTenant();
    const { certificate, fingerprint, notAfter } = await issue(tenant, { subnets: ['10.1.0.0/16'] });
    expect(fingerprint).toBe(fingerprintOf(certificate));
    expect(notAfter).toEqual(new Date(NOW.getTime() + 7 * DAY_MS));
    expect(decodeCertificate(certificate)).toMatchObject({
      name: 'vm-7',
      ips: [tenant.addressRange.replace('.0/', '.17/')],
      subnets: ['10.1.0.0/16'],
      groups: [],
      notBefore: new Date('2027-03-01T11:00:00Z'),
      notAfter: new Date('2027-03-08T12:00:00Z'),
      publicKey: OWNER.publicKey,
      isAuthority: false,
    });
  });

  it('is another each time, also within a second', async () => {
    const tenant = await newTenant();
    const issued = await Promise.all(Array.from({ length: 20 }, () => issue(tenant)));
    expect(new Set(issued.map(({ fingerprint }) => fingerprint)).size).toBe(20);
    const [authority = Buffer.alloc(0)] = await authoritiesOf(tenant.id);
    expect(issued.filter(({ certificate }) => refusalOf(certificate, authority, NOW) !== undefined)).toEqual([]);
  });

  it('stays valid while it is renewed', async () => {
    const tenant = await newTenant();
    await issue(tenant);
    await issue(tenant, {}, new Date(NOW.getTime() + 5 * DAY_MS));
    expect(await revokedCertificates(database, tenant.id, NOW)).toEqual([]);
  });

  it('is revoked when one with other subnets takes its place', async () => {
    const tenant = await newTenant();
    const before = [await issue(tenant), await issue(tenant)];
    const bystander = await issue(tenant, { id: 8 });
    const after = await issue(tenant, { subnets: ['10.1.0.0/16'] });
    const revoked = await revokedCertificates(database, tenant.id, NOW);
    expect(revoked).toEqual(before.map(({ fingerprint }) => fingerprint).toSorted());
    expect(revoked).not.toContain(bystander.fingerprint);
    expect(revoked).not.toContain(after.fingerprint);
  });

  it('is revoked with all that was issued before it when the peer is deleted, until it would have ended by a clock that is an hour slow', async () => {
    const tenant = await newTenant();
    const [peer] = await execute<{ id: number }>(
      `INSERT INTO network.peer (tenant_id, label, ip, created_at) VALUES ($1, 'vm', $2, $3) RETURNING id`,
      [tenant.id, tenant.addressRange.replace('.0/21', '.17'), NOW],
    );
    const first = await issue(tenant, { id: peer?.id ?? 0 });
    const later = new Date(NOW.getTime() + 5 * DAY_MS);
    const second = await issue(tenant, { id: peer?.id ?? 0 }, later);
    await execute('DELETE FROM network.peer WHERE id = $1', [peer?.id]);
    const both = [first.fingerprint, second.fingerprint].toSorted();
    expect(await revokedCertificates(database, tenant.id, later)).toEqual(both);
    const afterFirst = (minutes: number) => new Date(NOW.getTime() + 7 * DAY_MS + minutes * 60_000);
    expect(await revokedCertificates(database, tenant.id, afterFirst(59))).toEqual(both);
    expect(await revokedCertificates(database, tenant.id, afterFirst(61))).toEqual([second.fingerprint]);
  });

  it('is still revoked when its peer is deleted within that hour, after another was issued', async () => {
    const tenant = await newTenant();
    const [peer] = await execute<{ id: number }>(
      `INSERT INTO network.peer (tenant_id, label, ip, created_at) VALUES ($1, 'vm', $2, $3) RETURNING id`,
      [tenant.id, tenant.addressRange.replace('.0/21', '.17'), NOW],
    );
    const { fingerprint } = await issue(tenant, { id: peer?.id ?? 0 });
    const late = new Date(NOW.getTime() + 7 * DAY_MS + 59 * 60_000);
    await issue(tenant, { id: 8 }, late);
    await execute('DELETE FROM network.peer WHERE id = $1', [peer?.id]);
    await issue(tenant, { id: 8 }, late);
    expect(await revokedCertificates(database, tenant.id, late)).toEqual([fingerprint]);
  });

  it('is written as nebula-cert writes it', async () => {
    const { certificate } = await issue(await newTenant());
    expect(pemOf('certificate', certificate)).toMatch(
      /^-----BEGIN NEBULA CERTIFICATE-----\n(?:[\w+/]{64}\n)+[\w+/=]{1,64}\n-----END NEBULA CERTIFICATE-----\n$/,
    );
  });
});
