import { generateKeyPairSync } from 'node:crypto';
import { Client } from 'pg';
import { signCertificate } from '../../subgraphs/network/certificates/certificate/certificate.rules.js';

/** Number of rows of each kind. */
export interface Scale {
  readonly peers: number;
  readonly groups: number;
  readonly policies: number;
  readonly resources: number;
  readonly routers: number;
}

export const LARGE_NETWORK: Scale = { peers: 2_000, groups: 200, policies: 1_000, resources: 100, routers: 20 };

/**
 * Fills a provisioned network: peers in one to four groups each, so that most peers differ, every fifth policy a drop,
 * resources in two groups, a network for each router. Every run creates the same rows. Triggers are off.
 */
export async function fillNetwork(databaseUrl: string, tenantId: number, scale: Scale = LARGE_NETWORK): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('SET session_replication_role = replica');
  for (const [text, ...counts] of stepsOf(scale)) await client.query(text, [tenantId, ...counts]);
  await signCertificates(client, tenantId);
  await client.query(`ANALYZE ${TABLES}`);
  await client.end();
}

/** SQL for one of the groups, chosen by a hash: pseudo-random, but the same in every run. */
const groupOf = (seed: string) =>
  `(SELECT ids[1 + abs(hashtext(${seed})) % cardinality(ids)] FROM
     (SELECT array_agg(id ORDER BY id) AS ids FROM network.group WHERE tenant_id = $1 AND NOT is_default) own)`;

const GROUPS = `
  INSERT INTO network.group (tenant_id, label, created_at)
  SELECT $1, 'group-' || n, now() FROM generate_series(1, $2::int - 1) n`;

/** Peers with `last_seen` tomorrow, so that none becomes stale during the run. */
const PEERS = `
  INSERT INTO network.peer (tenant_id, label, ip, joined_at, last_seen, config_hash, applied_hash, config_changed_at,
                            token_hash, public_key, created_at)
  SELECT t.id, 'vm-' || n, set_masklen(t.address_range::inet + n + 40, 32), now(), now() + interval '1 day',
         encode(sha256(int4send(n)), 'hex'), encode(sha256(int4send(n)), 'hex'), now(),
         encode(sha256(int8send(t.id::bigint * 10000 + n)), 'hex'), sha256(int4send(n)), now()
    FROM network.tenant t, generate_series(1, $2::int) n WHERE t.id = $1`;

const MEMBERS = `
  INSERT INTO network.member (tenant_id, group_id, peer_id)
  SELECT $1, ${groupOf(`p.id || ' ' || n`)}, p.id
    FROM network.peer p, generate_series(1, $2::int) n WHERE p.tenant_id = $1 AND n <= 1 + abs(hashtext('in ' || p.id)) % 4
  ON CONFLICT DO NOTHING`;

const POLICIES = `
  INSERT INTO network.policy (tenant_id, name, source_group_id, dest_group_id, protocol, ports, bidirectional, action, enabled, created_at)
  SELECT $1, 'policy ' || n, ${groupOf(`'from ' || n`)}, ${groupOf(`'to ' || n`)}, protocol,
         CASE WHEN protocol IN ('tcp', 'udp') THEN ARRAY[(1 + abs(hashtext('a ' || n)) % 65535)::text, (1 + abs(hashtext('b ' || n)) % 65535)::text] ELSE '{}' END,
         n % 2 = 0, CASE WHEN n % 5 = 0 THEN 'drop' ELSE 'accept' END, true, now()
    FROM (SELECT n, ('{all,tcp,udp,icmp}'::text[])[1 + abs(hashtext('by ' || n)) % 4] AS protocol FROM generate_series(1, $2::int - 1) n) r`;

const NETWORKS = `
  INSERT INTO network.network (tenant_id, name, created_at)
  SELECT $1, 'network ' || n, now() FROM generate_series(1, $2::int) n`;

const networkOf = (place: string) =>
  `(SELECT id FROM network.network WHERE tenant_id = $1 AND NOT is_default ORDER BY id OFFSET ${place} % (SELECT greatest(1, count(*) - 1) FROM network.network WHERE tenant_id = $1) LIMIT 1)`;

const RESOURCES = `
  INSERT INTO network.resource (tenant_id, network_id, name, address, kind, created_at)
  SELECT $1, ${networkOf('n')}, 'resource ' || n, '172.16.' || n || '.0/24', 'subnet', now() FROM generate_series(1, $2::int) n`;

const RESOURCE_GROUPS = `
  INSERT INTO network.resource_group (tenant_id, resource_id, group_id)
  SELECT $1, r.id, ${groupOf(`'of ' || r.id || ' ' || n`)}
    FROM network.resource r, generate_series(1, $2::int) n WHERE r.tenant_id = $1 ON CONFLICT DO NOTHING`;

const ROUTERS = `
  INSERT INTO network.router (tenant_id, network_id, peer_id, masquerade, metric, created_at)
  SELECT $1, ${networkOf('n')}, p.id, true, 9999, now()
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM network.peer WHERE tenant_id = $1) p WHERE n <= $2::int`;

/** The steps in the order of their foreign keys. The default group and its policy exist already. */
const stepsOf = ({ groups, peers, policies, resources, routers }: Scale): [text: string, count: number][] => [
  [GROUPS, groups],
  [PEERS, peers],
  [MEMBERS, 4],
  [POLICIES, policies],
  [NETWORKS, routers],
  [RESOURCES, resources],
  [RESOURCE_GROUPS, 2],
  [ROUTERS, routers],
];

/** Signs a certificate for each peer with a random key. Certificates of routers contain their subnets. */
async function signCertificates(client: Client, tenantId: number): Promise<void> {
  const { rows } = await client.query<{ id: number; label: string; ip: string; subnets: string[] }>(
    `SELECT p.id, p.label, host(p.ip) AS ip, ARRAY(SELECT s.address FROM network.router o
              JOIN network.resource s ON s.network_id = o.network_id WHERE o.peer_id = p.id ORDER BY s.id) AS subnets
       FROM network.peer p WHERE p.tenant_id = $1 AND p.certificate IS NULL`,
    [tenantId],
  );
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const key = Buffer.concat([seed, publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)]);
  const [notBefore, notAfter] = [new Date(), new Date(Date.now() + CERTIFICATE_TTL_MS)];
  const certificates = rows.map(({ label, ip, subnets }) =>
    signCertificate({ ...CERTIFICATE_FIELDS, name: label, ips: [`${ip}/21`], subnets, notBefore, notAfter }, key),
  );
  await client.query(
    `UPDATE network.peer p SET certificate = n.certificate FROM unnest($1::integer[], $2::bytea[]) AS n (id, certificate)
      WHERE p.id = n.id`,
    [rows.map(({ id }) => id), certificates],
  );
}

const CERTIFICATE_FIELDS = { groups: [], publicKey: Buffer.alloc(32, 1), isAuthority: false, issuer: '0'.repeat(64) };

/** Lifetime of a host certificate. */
const CERTIFICATE_TTL_MS = 7 * 24 * 60 * 60_000;

const TABLES =
  'network.group, network.peer, network.member, network.policy, network.network, network.resource, network.resource_group, network.router';
