import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { openSecretBox } from '../../../kernel/security/secret-box.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { issueCertificate } from '../../../subgraphs/network/certificates/authority/authority.actions.js';
import type { GraphCompiler } from '../../../subgraphs/network/compile/workers/compile-job.js';
import { CompileScheduler } from '../../../subgraphs/network/compile/workers/compile-scheduler.js';
import { addPeer } from '../../../subgraphs/network/graph/peer/peer.actions.js';
import { changeGraph, provisionTenant } from '../../../subgraphs/network/graph/tenant/tenant.actions.js';
import { Configurations } from '../../../subgraphs/network/joining/configuration/configurations.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { newPublicKey } from '../../kit/network/network.js';
import { until } from '../../kit/watch.js';

const NOW = new Date('2027-03-01T12:00:00Z');
const LIMITS = { timeMs: 20_000, memoryMib: 128 };

/** Compiles when it is released. */
class HeldScheduler extends CompileScheduler {
  release: () => void = () => undefined;
  private readonly released = new Promise<void>((resolve) => (this.release = resolve));
  /** Whether it holds some work. */
  holds = false;

  override async work<Result>(
    size: Parameters<CompileScheduler['work']>[0],
    use: (compiler: GraphCompiler) => Promise<Result>,
  ): Promise<Result> {
    this.holds = true;
    await this.released;
    return super.work(size, use);
  }
}

const log = openLog('silent', 'test');
const slow = new HeldScheduler(LIMITS);
const fast = new CompileScheduler(LIMITS);
let dataDir: string;
let database: Database;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  database = connectDatabase({ url: await newDatabase(), schema: 'network', log });
});
afterAll(async () => {
  await Promise.all([slow.close(), fast.close(), database.close()]);
  await rm(dataDir, { recursive: true, force: true });
});

it('a slow process that stores the hash of an older graph last replaces it, although no machine waits there', async () => {
  const tenant = await provisionTenant(database, { userId: 1 }, { lastRange: 0, now: NOW });
  const newPeer = () =>
    changeGraph(database, { viewer: { userId: 1 }, now: NOW }, (transaction, tenantId) =>
      addPeer(transaction, { tenantId, label: undefined, groupId: tenant.defaultGroup, vmTicketRef: null }, NOW),
    );
  const { id, ip } = await newPeer();
  const secretBox = await openSecretBox({ dataDir, dataKeys: [] });
  const publicKey = newPublicKey();
  const certificate = await database.change(async (transaction) => {
    const peer = { id, label: 'vm', ip, publicKey, subnets: [] };
    const issued = await issueCertificate(transaction, secretBox, { tenant, peer, now: NOW });
    await transaction.execute(
      `UPDATE network.peer SET joined_at = $2, public_key = $3, token_hash = 'a', certificate = $4 WHERE id = $1`,
      [id, NOW, publicKey, issued.certificate],
    );
    return issued.certificate;
  });
  const read = (scheduler: CompileScheduler) =>
    new Configurations(scheduler, ['lighthouse.test'], 4242).textFor({ database, log, now: () => NOW }, tenant.id, {
      peerId: id,
      certificate,
      keyFile: '/host.key',
    });
  const storedHash = async () => {
    const [row] = await database.change((transaction) =>
      transaction.execute<{ hash: string }>('SELECT config_hash AS hash FROM network.peer WHERE id = $1', [id]),
    );
    return row?.hash;
  };
  const early = read(slow);
  await until(async () => slow.holds);
  await newPeer();
  await read(fast);
  const newest = await storedHash();
  slow.release();
  await early;
  await until(async () => (await storedHash()) === newest);
  expect(await storedHash()).toBe(newest);
});
