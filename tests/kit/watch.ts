import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

/** Runs a query on a new connection. Returns the first column of the first row. */
export async function ask(url: string, sql: string): Promise<unknown> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** Signals a child, unless it has ended, and waits for its exit. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

/** Waits until the condition is true. Fails after 20 s by default. */
export async function until(holds: () => Promise<boolean>, limitMs = 20_000): Promise<void> {
  const deadlineMs = Date.now() + limitMs;
  while (!(await holds())) {
    if (Date.now() > deadlineMs) throw new Error(`still not so after ${limitMs / 1_000} s: ${holds.toString()}`);
    await delay(5);
  }
}

/** Returns the permission bits in octal. */
export async function modeOf(file: string): Promise<string> {
  return ((await stat(file)).mode & 0o777).toString(8);
}

/** Whether a process runs. A zombie does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') X');
  return !/\) [ZX]/.test(state);
}

/** Returns the other processes with this text in their command line or environment. */
export async function processesThatMention(text: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const mentions = await Promise.all(
    pids.map(async (pid) => {
      const files = ['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => ''));
      return (await Promise.all(files)).join(' ').includes(text) && (await isRunning(pid));
    }),
  );
  return pids.filter((_pid, index) => mentions[index]);
}
