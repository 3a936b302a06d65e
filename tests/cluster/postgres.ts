import { randomBytes } from 'node:crypto';
import { chmod, chown, cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { serverEnvironment } from '../../kernel/config/config.js';
import { locatePrograms } from '../../kernel/database/postgres/binaries.js';
import { openCluster, OWNER } from '../../kernel/database/postgres/cluster.js';
import { cleanUpDeadPostmaster } from '../../kernel/database/postgres/postmaster.js';
import { freePort } from '../kit/arrangements.js';
import { until, type Undoing } from '../overlay/processes.js';
import { Node } from './node.js';

const START_LIMIT_MS = 60_000;

/** The database of the platform. */
export const DATABASE = 'archipelago_cluster';

/** Settings of both servers. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  shared_buffers: '64MB',
  wal_level: 'replica',
  wal_keep_size: '1GB',
  wal_retrieve_retry_interval: '250ms',
  timezone: 'UTC',
};

/** Where a server is. */
interface Place {
  readonly port: number;
  readonly directory: string;
}

/** A PostgreSQL server with a streaming standby. */
export class PostgresPair {
  private current: 0 | 1 = 0;

  private constructor(
    readonly password: string,
    readonly primary: Node,
    readonly standby: Node,
    private readonly places: readonly [primary: Place, standby: Place],
  ) {}

  /**
   * Starts both; the standby is a copy of the primary, which is taken while that runs.
   * @param isSynchronous every commit waits for the standby, so that a failover loses none
   */
  static async start(folder: string, undoing: Undoing, isSynchronous = true): Promise<PostgresPair> {
    const home = join(folder, 'postgres');
    await mkdir(home, { mode: 0o700 });
    const { data, password } = await openCluster(home);
    const ports = [await freePort(), await freePort()] as const;
    const { postgres } = await locatePrograms(data);
    const server = (name: string, directory: string, port: number, more: Readonly<Record<string, string>>) => {
      const settings = Object.entries({ ...SETTINGS, port: `${port}`, ...more }).flatMap(([key, value]) => [
        '-c',
        `${key}=${value}`,
      ]);
      return new Node(name, [...postgres, '-D', directory, ...settings], serverEnvironment(), undoing);
    };
    const primary = server('postgres', data, ports[0], { synchronous_standby_names: isSynchronous ? '*' : '' });
    const copy = join(home, 'standby');
    const link = `host=127.0.0.1 port=${ports[0]} user=${OWNER} password=${password}`;
    const standby = server('postgres standby', copy, ports[1], {
      primary_conninfo: link,
      synchronous_standby_names: '',
    });
    const pair = new PostgresPair(password, primary, standby, [
      { port: ports[0], directory: data },
      { port: ports[1], directory: copy },
    ]);
    primary.start();
    await pair.answering(0);
    const client = pair.clientOf(0, 'postgres');
    await client.connect();
    await client.query('SET synchronous_commit = local');
    await takeBaseBackup(client, data, copy);
    await client.end();
    await writeFile(join(copy, 'standby.signal'), '', { mode: 0o600 });
    await ownLike(data, copy);
    standby.start();
    await pair.answering(1);
    await pair.ask(0, `CREATE DATABASE ${DATABASE}`);
    return pair;
  }

  /** Waits until a server answers. */
  async answering(index: 0 | 1): Promise<void> {
    await until(
      'PostgreSQL',
      START_LIMIT_MS,
      async () => (await this.ask(index, 'SELECT 1').catch(() => undefined)) && true,
    );
  }

  /** Kills a server, waits until its sessions, which hold its shared memory, are gone too, and starts it again. */
  async crash(index: 0 | 1): Promise<void> {
    const server = [this.primary, this.standby][index];
    await server?.end('SIGKILL');
    await cleanUpDeadPostmaster(this.places[index].directory);
    server?.start();
    await this.answering(index);
  }

  /** Makes the standby the primary. */
  async promote(): Promise<void> {
    await this.ask(1, 'SELECT pg_promote()');
    this.current = 1;
  }

  /** The database of the platform at each server. */
  get urls(): readonly [primary: string, standby: string] {
    const [primary, standby] = this.addresses.map(
      (address) => `postgres://${OWNER}:${this.password}@${address}/${DATABASE}`,
    );
    return [primary ?? '', standby ?? ''];
  }

  /** Runs a statement in the database of the platform, at the primary of now. */
  async sql<Row>(text: string): Promise<Row[]> {
    return (await this.ask(this.current, text, DATABASE)) as Row[];
  }

  /** The servers, for the proxy. */
  get addresses(): readonly [string, string] {
    return [`127.0.0.1:${this.places[0].port}`, `127.0.0.1:${this.places[1].port}`];
  }

  /** Runs a statement at a server. */
  async ask(index: 0 | 1, text: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    const client = this.clientOf(index, database);
    await client.connect();
    try {
      return (await client.query(text)).rows as Record<string, unknown>[];
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private clientOf(index: 0 | 1, database: string): Client {
    const { password, places } = this;
    const client = new Client({ host: '127.0.0.1', port: places[index].port, user: OWNER, password, database });
    client.on('error', () => undefined);
    return client;
  }
}

/** A base backup: files are copied between its begin and its end, and the log fills the gaps. */
export async function takeBaseBackup(client: Client, from: string, to: string): Promise<void> {
  await client.query(`SELECT pg_backup_start($1, true)`, [randomBytes(4).toString('hex')]);
  await cp(from, to, {
    recursive: true,
    preserveTimestamps: true,
    filter: (file) => !/postmaster\.(pid|opts)$/.test(file),
  });
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
  for (const segment of await readdir(join(to, 'pg_wal'))) {
    if (/^[0-9A-F]{24}$/.test(segment)) await rm(join(to, 'pg_wal', segment));
  }
  await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o600 });
}

/** Gives a copy the owner of its source: PostgreSQL refuses the files of another user. */
export async function ownLike(from: string, to: string): Promise<void> {
  const { uid, gid } = await stat(from);
  await chmod(to, 0o700);
  const entries = await readdir(to, { recursive: true });
  for (const entry of ['', ...entries]) await chown(join(to, entry), uid, gid);
}
