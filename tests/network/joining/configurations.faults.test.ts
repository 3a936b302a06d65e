import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { hashToken } from '../../../kernel/security/credentials.js';
import { openSecretBox, type SecretBox } from '../../../kernel/security/secret-box.js';
import { KeyedSemaphore } from '../../../kernel/concurrency/keyed-semaphore.js';
import { Subscribers } from '../../../kernel/events/sources/subscribers.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { issueCertificate } from '../../../subgraphs/network/certificates/authority/authority.actions.js';
import type { GraphCompiler } from '../../../subgraphs/network/compile/workers/compile-job.js';
import { CompileScheduler } from '../../../subgraphs/network/compile/workers/compile-scheduler.js';
import { addPeer } from '../../../subgraphs/network/graph/peer/peer.actions.js';
import { changeGraph, provisionTenant } from '../../../subgraphs/network/graph/tenant/tenant.actions.js';
import { awaitConfiguration } from '../../../subgraphs/network/joining/configuration/configuration.actions.js';
import { Configurations } from '../../../subgraphs/network/joining/configuration/configurations.js';
import type { NetworkContext, NetworkServices } from '../../../subgraphs/network/services.js';
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

let secretBox: SecretBox;
beforeAll(async () => {
  secretBox = await openSecretBox({ dataDir, dataKeys: [] });
});

const provision = () => provisionTenant(database, { userId: 1 }, { lastRange: 0, now: NOW });

async function newPeer(): Promise<{ readonly id: number; readonly ip: string }> {
  const { defaultGroup: groupId } = await provision();
  return changeGraph(database, { viewer: { userId: 1 }, now: NOW }, (transaction, tenantId) =>
    addPeer(transaction, { tenantId, label: undefined, groupId, vmTicketRef: null }, NOW),
  );
}

/** A peer of user 1 that has joined with this token. */
async function joinedPeer(token: string): Promise<{ readonly id: number; readonly certificate: Buffer }> {
  const tenant = await provision();
  const { id, ip } = await newPeer();
  const publicKey = newPublicKey();
  const certificate = await database.change(async (transaction) => {
    const peer = { id, label: 'vm', ip, publicKey, subnets: [] };
    const issued = await issueCertificate(transaction, secretBox, { tenant, peer, now: NOW });
    await transaction.execute(
      `UPDATE network.peer SET joined_at = $2, public_key = $3, token_hash = $5, certificate = $4 WHERE id = $1`,
      [id, NOW, publicKey, issued.certificate, hashToken(token)],
    );
    return issued.certificate;
  });
  return { id, certificate };
}

const configurationsBy = (scheduler: CompileScheduler) => new Configurations(scheduler, ['lighthouse.test'], 4242);

it('a slow process that stores the hash of an older graph last replaces it, although no machine waits there', async () => {
  const tenant = await provision();
  const { id, certificate } = await joinedPeer('slow');
  const read = (scheduler: CompileScheduler) =>
    configurationsBy(scheduler).textFor({ database, log, now: () => NOW }, tenant.id, {
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

describe('the long poll of a machine', () => {
  let nowMs = NOW.getTime();
  const changes = new Subscribers();
  const ask = (
    scheduler: CompileScheduler,
    question: { readonly token: string; readonly known: string | undefined; readonly waitMs: number },
  ) => {
    const configurationRequests = new KeyedSemaphore({ atOnce: 1, waiting: 0 }, () => new Error('too many'));
    const context: Partial<NetworkContext> = {
      database,
      log,
      now: () => new Date(nowMs),
      signal: new AbortController().signal,
      events: {
        subscribe: (topics, signal) => changes.add(topics, signal),
        publish: (event) => changes.deliver(event),
        close: () => Promise.resolve(),
      },
      services: { configurations: configurationsBy(scheduler), configurationRequests, secretBox } as NetworkServices,
    };
    return awaitConfiguration(context as NetworkContext, question);
  };

  /** Has the clock go on by that time while the first configuration is made. @returns the wait after that */
  async function waitAfter(
    token: string,
    { waitMs, passedMs }: Record<'waitMs' | 'passedMs', number>,
  ): Promise<number> {
    await joinedPeer(token);
    const { hash } = await ask(fast, { token, known: undefined, waitMs: 0 });
    const slowly = new HeldScheduler(LIMITS);
    const answer = ask(slowly, { token, known: hash, waitMs });
    await until(async () => slowly.holds);
    nowMs += passedMs;
    slowly.release();
    const releasedMs = performance.now();
    expect((await answer).hash).toBe(hash);
    await slowly.close();
    return performance.now() - releasedMs;
  }

  it('that waited for its first configuration waits for a change only until its time is over', async () => {
    expect(await waitAfter('waiting', { waitMs: 20_000, passedMs: 20_000 })).toBeLessThan(10_000);
  });

  it('does not take longer because the clock went back', async () => {
    expect(await waitAfter('clock', { waitMs: 100, passedMs: -20_000 })).toBeLessThan(10_000);
  });
});
