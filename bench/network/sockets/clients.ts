import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../kernel/package-root.js';
import type { Server } from '../../processes.js';
import type { CrowdTask } from './crowd.js';

/** The most sockets of a process of clients, which has an address of its own: about 28,000 ports. */
const CROWD = 15_000;
/** The share of its open files that a gateway uses for connections: see docs/limits.md. */
const SHARE_OF_FILES = 0.9;
/** Files that a process opens beside its sockets. */
const OTHER_FILES = 200;

/** A process of clients of one server. */
export class Clients {
  private readonly failed: Promise<never>;

  private constructor(private readonly child: ChildProcess) {
    this.failed = once(child, 'exit').then(([code]) => Promise.reject(new Error(`clients ended with ${code}`)));
    // Avoids an unhandled rejection after `close`.
    this.failed.catch(() => undefined);
  }

  /** Opens sockets, evenly for the servers. Resolves when all of them are subscribed. */
  static async open(
    servers: readonly Server[],
    query: string | undefined,
    sockets: number,
  ): Promise<readonly Clients[]> {
    const perServer = Math.ceil(sockets / servers.length);
    const crowds = servers.flatMap(({ url }, index) =>
      countsOf(Math.min(perServer, sockets - index * perServer)).map((count) => ({ url, query, count })),
    );
    const all = crowds.map((crowd, index) => Clients.start({ ...crowd, localAddress: `127.0.0.${2 + index}` }));
    await Promise.all(all.map((clients) => clients.next()));
    return all;
  }

  private static start(task: CrowdTask): Clients {
    const child = fork(join(packageRoot(), 'dist/bench/network/sockets/crowd.js'));
    child.send(task);
    return new Clients(child);
  }

  /** Resolves when the next event has come to all sockets. @throws when one of them is closed */
  async next(): Promise<void> {
    await Promise.race([once(this.child, 'message'), this.failed]);
  }

  close(): void {
    this.child.kill();
  }
}

/** The sockets of each process. */
function countsOf(sockets: number): number[] {
  const crowds = Math.ceil(sockets / CROWD);
  return Array.from({ length: crowds }, (_, crowd) => Math.min(CROWD, sockets - crowd * CROWD));
}

/** Node raises its limit to the hard one. @throws when a server may not open a file for each of its sockets */
export function requireFiles(sockets: number, servers: number): void {
  const [, hard] = /^Max open files +\S+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  const needed = Math.ceil(sockets / servers / SHARE_OF_FILES) + OTHER_FILES;
  if (hard !== undefined && Number(hard) < needed)
    throw new Error(`${sockets} sockets on ${servers} servers need ${needed} open files in a process: ulimit -n`);
}
