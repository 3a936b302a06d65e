import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { serverEnvironment } from '../../../kernel/config/config.js';
import { locatePrograms } from '../../../kernel/database/postgres/binaries.js';
import { openCluster, OWNER } from '../../../kernel/database/postgres/cluster.js';
import { Node } from '../../cluster/node.js';
import { ownLike, takeBaseBackup } from '../../cluster/postgres.js';
import { freePort } from '../../kit/arrangements.js';
import { until, type Undoing } from '../../overlay/processes.js';

const START_LIMIT_MS = 60_000;

/** A PostgreSQL server that archives its WAL, as an operator sets it up for recovery to a point in time. */
export class ArchivedPostgres {
  private constructor(
    readonly url: string,
    private readonly folders: Readonly<Record<'data' | 'copy' | 'archive', string>>,
    private readonly run: (name: string, data: string, settings: Readonly<Record<string, string>>) => Node,
    private server: Node,
  ) {}

  static async start(folder: string, undoing: Undoing): Promise<ArchivedPostgres> {
    const home = join(folder, 'postgres');
    await mkdir(home, { mode: 0o700 });
    const { data, password } = await openCluster(home);
    const folders = { data, copy: join(home, 'copy'), archive: join(home, 'archive') };
    await mkdir(folders.archive, { mode: 0o700 });
    await ownLike(data, folders.archive);
    const port = `${await freePort()}`;
    const { postgres } = await locatePrograms(data);
    const run = (name: string, directory: string, more: Readonly<Record<string, string>>) => {
      const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port, timezone: 'UTC', ...more };
      const words = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
      const node = new Node(name, [...postgres, '-D', directory, ...words], serverEnvironment(), undoing);
      node.start();
      return node;
    };
    const archiving = { archive_mode: 'on', archive_command: `cp %p ${folders.archive}/%f` };
    const url = `postgres://${OWNER}:${password}@127.0.0.1:${port}/postgres`;
    const server = new ArchivedPostgres(url, folders, run, run('postgres', data, archiving));
    await server.answering();
    return server;
  }

  /** Runs statements on one connection. */
  async work<Result>(run: (client: Client) => Promise<Result>): Promise<Result> {
    const client = new Client({ connectionString: this.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await run(client);
    } finally {
      await client.end();
    }
  }

  takeBaseBackup(): Promise<void> {
    return this.work((client) => takeBaseBackup(client, this.folders.data, this.folders.copy));
  }

  /** Archives the last segment, ends the server, and starts its base backup as of a time, a timestamp of PostgreSQL. */
  async recoverTo(time: string): Promise<void> {
    const { data, copy, archive } = this.folders;
    await this.work(async (client) => {
      const { rows } = await client.query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name');
      await until('the last segment in the archive', START_LIMIT_MS, async () => {
        const state = await client.query<{ last: string }>('SELECT last_archived_wal AS last FROM pg_stat_archiver');
        return (state.rows[0]?.last ?? '') >= (rows[0]?.name ?? '') || undefined;
      });
    });
    await this.server.end('SIGINT');
    await writeFile(join(copy, 'recovery.signal'), '', { mode: 0o600 });
    await ownLike(data, copy);
    this.server = this.run('recovered postgres', copy, {
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: time,
      recovery_target_action: 'promote',
    });
    await this.answering().catch((error: unknown) => {
      throw new Error(this.server.output, { cause: error });
    });
  }

  /** Waits until it takes writes. */
  private async answering(): Promise<void> {
    await until('PostgreSQL', START_LIMIT_MS, async () => {
      const read = (client: Client) => client.query<{ is: boolean }>('SELECT pg_is_in_recovery() AS is');
      const { rows } = await this.work(read).catch(() => ({ rows: [] }));
      return rows[0]?.is === false || undefined;
    });
  }
}
