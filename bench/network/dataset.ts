import { Client } from 'pg';

/** How large the network is that is measured. */
export const SCALE = { peers: 2_000, groups: 200, policies: 1_000, resources: 100, routers: 20 } as const;

/**
 * Fills a provisioned network up to the scale: peers in one to four groups each, so that hardly two are alike, every fifth
 * policy a drop, resources in two groups, a network with a router each twenty. Every run has the same. No triggers run.
 */
export async function fillNetwork(databaseUrl: string, tenantId: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('SET session_replication_role = replica');
  for (const { text, count } of STEPS) await client.query(text, [tenantId, count]);
  await client.query(`ANALYZE ${TABLES}`);
  await client.end();
}

/** One of the network's own, by a hash of a row's number: looks random, is the same in every run. */
const groupOf = (seed: string) =>
  `(SELECT ids[1 + abs(hashtext(${seed})) % cardinality(ids)] FROM
     (SELECT array_agg(id ORDER BY id) AS ids FROM network.group WHERE tenant_id = $1 AND NOT is_default) own)`;

const GROUPS = `
  INSERT INTO network.group (tenant_id, label, created_at)
  SELECT $1, 'group-' || n, now() FROM generate_series(1, $2::int - 1) n`;

/** Peers that were seen tomorrow: none of them grows stale while it is measured. */
const PEERS = `
  INSERT INTO network.peer (tenant_id, label, ip, joined_at, last_seen, config_hash, applied_hash, config_changed_at, created_at)
  SELECT t.id, 'vm-' || n, set_masklen(t.address_range::inet + n + 10, 32), now(), now() + interval '1 day',
         encode(sha256(int4send(n)), 'hex'), encode(sha256(int4send(n)), 'hex'), now(), now()
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
  `(SELECT id FROM network.network WHERE tenant_id = $1 AND NOT is_default ORDER BY id OFFSET ${place} % ${SCALE.routers} LIMIT 1)`;

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

/** In an order in which each finds what it stands on. The default group and its policy are there already. */
const STEPS = [
  { text: GROUPS, count: SCALE.groups },
  { text: PEERS, count: SCALE.peers },
  { text: MEMBERS, count: 4 },
  { text: POLICIES, count: SCALE.policies },
  { text: NETWORKS, count: SCALE.routers },
  { text: RESOURCES, count: SCALE.resources },
  { text: RESOURCE_GROUPS, count: 2 },
  { text: ROUTERS, count: SCALE.routers },
] as const;

const TABLES =
  'network.group, network.peer, network.member, network.policy, network.network, network.resource, network.resource_group, network.router';
