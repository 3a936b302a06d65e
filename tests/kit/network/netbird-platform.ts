import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess, type RunningPlatform } from '../arrangements.js';
import { NetbirdServer } from './netbird.js';
import { newDatabase } from '../database/own-database.js';
import { asAdmin, call, type Json, type Reply } from '../platform.js';
import { newWallet, signIn, type SignedIn } from '../accounts/wallet.js';
import { ask, end, until } from '../watch.js';

/** A user with a network, and the name prefix of its objects at the server. */
export interface Owner {
  readonly user: SignedIn;
  readonly prefix: string;
}

/** A platform with the NetBird driver, and its first user. */
export class NetbirdPlatform {
  private constructor(
    readonly netbird: NetbirdServer,
    readonly databaseUrl: string,
    private running: RunningPlatform,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  owner!: Owner;

  /** @param databaseUrl of an empty database, which it may reach through a proxy, by `DATABASE_URL` of `extra` */
  static async start(extra: Readonly<Record<string, string>> = {}, databaseUrl?: string): Promise<NetbirdPlatform> {
    const netbird = await NetbirdServer.start();
    const ownUrl = databaseUrl ?? (await newDatabase());
    const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
    const env = { DATABASE_URL: ownUrl, ...extra, ...netbird.env, DATA_DIR: dataDir };
    const platform = new NetbirdPlatform(netbird, ownUrl, await startInProcess(env), env);
    platform.owner = await platform.newOwner();
    return platform;
  }

  async stop(): Promise<void> {
    await this.running.stop();
    await this.netbird.stop();
    await rm(this.env.DATA_DIR ?? '', { recursive: true, force: true });
  }

  /** Kills the platform with SIGKILL and starts it again. */
  async kill(): Promise<void> {
    for (const { child } of this.running.processes) await end(child, 'SIGKILL');
    this.running = await startInProcess(this.env);
  }

  get url(): string {
    return this.running.url;
  }

  /** The output so far. */
  get output(): string {
    return this.running.processes.map(({ output }) => output()).join('');
  }

  /** Creates another user with a network. */
  async newOwner(): Promise<Owner> {
    const user = await signIn(newWallet(), this.url);
    const { body } = await call('POST /api/network/provision/', { token: user.token, url: this.url });
    return { user, prefix: `${this.env.NETBIRD_PREFIX ?? 'arp'}-${body.id}-` };
  }

  send(target: string, body?: unknown, { user }: Owner = this.owner): Promise<Reply> {
    return call(target, { token: user.token, url: this.url, body });
  }

  enroll(body: object = {}, owner?: Owner): Promise<Reply> {
    return this.send('POST /api/network/peers/enroll/', body, owner);
  }

  /** Returns an object of the first user. */
  named(kind: Parameters<NetbirdServer['named']>[0], name: string): Json {
    return this.netbird.named(kind, this.owner.prefix + name);
  }

  has(kind: Parameters<NetbirdServer['named']>[0], name: string, { prefix }: Owner = this.owner): Promise<void> {
    return until(async () => this.netbird.named(kind, prefix + name) !== undefined);
  }

  async keyOf(id: number): Promise<Json> {
    return (await this.send('GET /api/network/enroll-keys/')).body.find((each: Json) => each.id === id);
  }

  async peer(id: number): Promise<Json> {
    return (await this.send(`GET /api/network/peers/${id}/`)).body;
  }

  /** Waits until the server is reconciled with all graphs. */
  settled(): Promise<void> {
    const sql = `SELECT bool_and(coalesce(n.revision = t.graph_revision AND n.lease IS NULL, false))
                   FROM network.tenant t LEFT JOIN network.netbird_tenant n ON n.tenant_id = t.id`;
    return until(async () => (await ask(this.databaseUrl, sql)) === true);
  }

  /** Polls the server now instead of within half a minute. */
  async look(): Promise<void> {
    const data = `'{"job": "find-netbird-drift", "data": {"isAgain": true}}'`;
    const id = await ask(
      this.databaseUrl,
      `INSERT INTO network_jobs.job (name, data, policy) VALUES ('slow-work', ${data}, 'short') RETURNING id`,
    );
    const isOver = `SELECT state NOT IN ('created', 'active') FROM network_jobs.job WHERE id = '${String(id)}'`;
    await until(async () => (await ask(this.databaseUrl, isOver)) === true);
  }

  /** Polls until the condition is true, as each half a minute: a poll leaves tenants alone that are being reconciled. */
  heals(holds: () => boolean): Promise<void> {
    return until(async () => {
      await this.look();
      await this.settled();
      return holds();
    });
  }

  async drifts(): Promise<Json[]> {
    return (await asAdmin('{ networkDrift { kind externalId what repairedAt } }', {}, this.url)).networkDrift;
  }
}
