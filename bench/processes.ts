import { readdirSync, readFileSync } from 'node:fs';
import { freePort, startProcess } from '../tests/kit/arrangements.js';
import type { Cleanup } from './cleanup.js';

/** A server in another process. */
export interface Server {
  readonly url: string;
  readonly pid: number;
}

/** Starts a built entry whose last argument is its port. */
export async function startServer(
  cleanup: Cleanup,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const port = await freePort();
  const server = await startProcess([...command, `${port}`], env);
  cleanup.add(() => server.stop());
  return { url: `http://127.0.0.1:${port}`, pid: server.child.pid ?? 0 };
}

/** Returns the process id of the PostgreSQL of this data directory. */
export function postgresPid(dataDir: string): number {
  return Number(readFileSync(`${dataDir}/postgres/data/postmaster.pid`, 'utf8').split('\n')[0]);
}

/** CPU time of the processes and their children so far, in milliseconds; undefined without /proc. */
export function cpuMs(pids: readonly number[]): number | undefined {
  try {
    const parents = pids.map((pid) => statOf(pid));
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => childStat(Number(name), pids));
    return [...parents, ...children].reduce((sum, { ticks }) => sum + ticks, 0) * MS_PER_TICK;
  } catch {
    return undefined;
  }
}

const MS_PER_TICK = 10;

interface ProcessStat {
  readonly parent: number;
  /** CPU time with that of children that have ended. */
  readonly ticks: number;
}

function statOf(pid: number): ProcessStat {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), ticks };
}

/** A process can end while /proc is read. */
function childStat(pid: number, parents: readonly number[]): ProcessStat[] {
  try {
    const stat = statOf(pid);
    return parents.includes(stat.parent) ? [stat] : [];
  } catch {
    return [];
  }
}

/** Resident memory in KiB; undefined without /proc. */
export function residentKib(pid: number): number | undefined {
  try {
    const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? undefined : Number(kib);
  } catch {
    return undefined;
  }
}
