import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { pollServer } from '../../../subgraphs/network/drivers/netbird/drift-poll.js';
import { Lease } from '../../../subgraphs/network/drivers/netbird/lease.actions.js';
import { netbirdEngine } from '../../../subgraphs/network/drivers/netbird/netbird-engine.js';
import { reconcileTenant } from '../../../subgraphs/network/drivers/netbird/reconciliation.js';
import { listDrift } from '../../../subgraphs/network/drivers/netbird-drift/drift.actions.js';
import { NetbirdApi } from '../../../subgraphs/network/drivers/netbird-api/netbird-api.js';
import { provisionTenant } from '../../../subgraphs/network/graph/tenant/tenant.actions.js';
import { enrollPeer, listSetupKeys } from '../../../subgraphs/network/joining/enrollment/enrollment.actions.js';
import { platformConfig } from '../../kit/config.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { NetbirdServer } from '../../kit/network/netbird.js';
import { until } from '../../kit/watch.js';

const NO_JOBS = { enqueue: () => Promise.resolve(), close: () => Promise.resolve() };
const LOG = openLog('silent', 'test');

/** The clock of a process, so many seconds from the one of PostgreSQL. */
const clock = (seconds: number) => () => new Date(Date.now() + seconds * 1_000);
const [behind, ahead] = [clock(-60), clock(60)];

let database: Database;
let netbird: NetbirdServer;
let api: NetbirdApi;
beforeAll(async () => {
  database = connectDatabase({ url: await newDatabase(), schema: 'network', log: LOG });
  netbird = await NetbirdServer.start();
  api = new NetbirdApi(netbirdConfig());
});
afterAll(async () => {
  await netbird.stop();
  await database.close();
});
beforeEach(() => {
  netbird.afterList = () => Promise.resolve();
});

function netbirdConfig() {
  const { netbird: config } = platformConfig(netbird.env).network;
  if (!config) throw new Error('the settings name no NetBird');
  return config;
}

let users = 0;

/** A new user with a network at the server. */
async function newOwner() {
  const viewer = { kind: 'user', userId: ++users, username: 'it', substrateAddress: null, tokenId: '1' } as const;
  const owner = { ...viewer, expiresAt: null, roles: [] };
  const { id: tenantId } = await provisionTenant(database, owner, { lastRange: 99, now: new Date() });
  await reconcile(tenantId, clock(0));
  return { owner, tenantId };
}

/** Reconciles a network in a process with this clock. */
async function reconcile(tenantId: number, now: () => Date): Promise<void> {
  const lease = await Lease.take(database, tenantId, now);
  if (!lease) throw new Error('another one holds the lease');
  await reconcileTenant({ api, database, jobs: NO_JOBS, now, log: LOG }, tenantId, lease);
  await lease.end();
}

/** Polls the server in a process with this clock. Returns the networks that need a reconciliation. */
const poll = (now: () => Date) => pollServer({ api, database, jobs: NO_JOBS, now, log: LOG });

/** Runs the work while a reader waits for the last of the lists of the server. */
function whileRead(work: () => Promise<unknown>): void {
  netbird.afterList = async (kind) => {
    if (kind !== 'peers') return;
    netbird.afterList = () => Promise.resolve();
    await work();
  };
}

describe('a setup key that a process with a late clock makes while another one reads the server', () => {
  it('stays valid, and is no drift', async () => {
    const { owner, tenantId } = await newOwner();
    const engine = netbirdEngine(netbirdConfig());
    const dependencies = { database, publicUrl: 'http://127.0.0.1', log: LOG, now: behind, engine };
    whileRead(() => enrollPeer(dependencies, { viewer: owner, now: behind() }, {}));
    await reconcile(tenantId, ahead);
    const drift = (await listDrift(database)).filter(({ tenant }) => tenant === tenantId);
    const [key] = await listSetupKeys(database, owner, new Date());
    expect({ state: key?.state, drift }).toEqual({ state: 'valid', drift: [] });
  });
});

describe('a network that a process with a late clock reconciles', () => {
  it('is not reconciled by another one at the same time', async () => {
    const { tenantId } = await newOwner();
    const lease = await Lease.take(database, tenantId, behind);
    expect(lease).toBeDefined();
    expect(await Lease.take(database, tenantId, ahead)).toBeUndefined();
    await lease?.end();
    expect(await Lease.take(database, tenantId, ahead)).toBeDefined();
  });

  it('is not compared with the server meanwhile', async () => {
    const { tenantId } = await newOwner();
    netbird.add('groups', { name: `arp-${tenantId}-strange`, peers: [] });
    const lease = await Lease.take(database, tenantId, behind);
    expect(await poll(ahead)).not.toContain(tenantId);
    await lease?.end();
    await until(async () => (await poll(ahead)).includes(tenantId));
  });

  it('is not compared with what another one read before the end', async () => {
    const { tenantId } = await newOwner();
    netbird.add('groups', { name: `arp-${tenantId}-strange`, peers: [] });
    whileRead(() => reconcile(tenantId, behind));
    expect(await poll(ahead)).not.toContain(tenantId);
  });
});
