import { execFile, spawn } from 'node:child_process';
import { open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { serverEnvironment } from '../../../../../kernel/config/config.js';
import { ConfigError } from '../../../../../kernel/config/environment.js';
import { FILES } from './command-line.rules.js';
import { Qmp } from './qmp.js';

const run = promisify(execFile);

/** Required programs. Debian: qemu-system-x86, qemu-utils */
export const QEMU = 'qemu-system-x86_64';
const QEMU_IMG = 'qemu-img';

/** @throws ConfigError when a program is not installed */
export async function checkPrograms(): Promise<void> {
  for (const program of [QEMU, QEMU_IMG]) {
    await runProgram(program, ['--version'], tmpdir()).catch(() => {
      throw new ConfigError(`VM_PROVIDER is "qemu", and ${program} cannot be run: install QEMU and its tools.`);
    });
  }
}

/** Time-out of a program, and of QEMU until it listens, in milliseconds. */
const TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 50;

/**
 * Starts QEMU detached, so that it keeps running when the platform stops, and waits until its QMP socket accepts connections.
 * `-daemonize` cannot be used: it forks, which `-sandbox spawn=deny` forbids. @throws with the end of its log
 */
export async function startQemu(args: readonly string[], directory: string): Promise<void> {
  await Promise.all([FILES.qmp, FILES.events].map((name) => rm(join(directory, name), { force: true })));
  const log = await open(join(directory, FILES.log), 'w', 0o600);
  const child = spawn(QEMU, args, {
    cwd: directory,
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', 'ignore', log.fd],
  });
  child.unref();
  // Before anything is awaited: the process may end at once.
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', reject).once('exit', (code, signal) => reject(new Error(`QEMU ended with ${code ?? signal}`)));
  });
  const waiting = new AbortController();
  try {
    await Promise.race([waitUntilListening(directory, waiting.signal), ended]);
  } catch (error) {
    child.kill('SIGKILL');
    const logText = await readFile(join(directory, FILES.log), 'utf8').catch(() => '');
    throw new Error(`${String(error)}: ${logText.slice(-1_000)}`, { cause: error });
  } finally {
    waiting.abort();
    await log.close();
  }
}

async function waitUntilListening(directory: string, signal: AbortSignal): Promise<void> {
  const deadlineMs = performance.now() + TIMEOUT_MS;
  for (;;) {
    const qmp = await Qmp.open(directory, FILES.qmp).catch((error: unknown) => {
      if (performance.now() > deadlineMs) throw error;
    });
    qmp?.close();
    if (qmp) return;
    await delay(POLL_INTERVAL_MS, undefined, { signal });
  }
}

/** Runs `qemu-img`. @returns its output @throws with its error output */
export function runQemuImg(args: readonly string[], directory: string): Promise<string> {
  return runProgram(QEMU_IMG, args, directory);
}

/** Runs without a shell and without the platform's environment, which contains secrets. */
async function runProgram(program: string, args: readonly string[], directory: string): Promise<string> {
  const options = { cwd: directory, env: serverEnvironment(), timeout: TIMEOUT_MS, maxBuffer: 2 ** 20 };
  const { stdout } = await run(program, [...args], { ...options, killSignal: 'SIGKILL' });
  return stdout;
}

/** Process id of the machine's QEMU; undefined: not running. Detects a process id that was reused. */
export async function processOf(directory: string, uuid: string): Promise<number | undefined> {
  const pid = Number(await readFile(join(directory, FILES.pid), 'utf8').catch(() => ''));
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  const args = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  // A zombie process has an empty command line.
  const isOurs = args[0]?.endsWith(QEMU) === true && args[args.indexOf('-uuid') + 1] === uuid;
  return isOurs ? pid : undefined;
}

/** Milliseconds for a process to end after a kill. */
const KILL_TIMEOUT_MS = 15_000;

/** Kills the process of a machine. @throws when it does not end */
export async function killMachine(directory: string, uuid: string): Promise<void> {
  const pid = await processOf(directory, uuid);
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended meanwhile.
  }
  await waitUntilExited(directory, uuid);
}

/** Waits until the process of a machine has ended. @throws after a time-out */
export async function waitUntilExited(directory: string, uuid: string): Promise<void> {
  const deadlineMs = performance.now() + KILL_TIMEOUT_MS;
  while (performance.now() < deadlineMs) {
    if ((await processOf(directory, uuid)) === undefined) return;
    await delay(POLL_INTERVAL_MS);
  }
  throw new Error(`QEMU of machine ${uuid} did not exit within ${KILL_TIMEOUT_MS / 1_000} s`);
}
