import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { FILES } from '../../../subgraphs/infrastructure/machines/provider/qemu/command-line.rules.js';
import { killMachine, processOf } from '../../../subgraphs/infrastructure/machines/provider/qemu/host-process.js';
import { QemuHost, QemuProvider } from '../../../subgraphs/infrastructure/machines/provider/qemu/qemu.js';
import { Qmp } from '../../../subgraphs/infrastructure/machines/provider/qemu/qmp.js';
import { providerDependencies, TestClock, type ProviderFixture } from './provider-fixture.js';

const run = promisify(execFile);

/** An image without an operating system: prints `B` on its console and halts. Ignores a shutdown request. */
const IMAGE = 'halted';
const SECTOR = Buffer.from([
  0xba,
  0xf8,
  0x03,
  0xb0,
  0x42,
  0xee,
  0xfa,
  0xf4,
  0xeb,
  0xfd,
  ...Array<number>(500).fill(0),
  0x55,
  0xaa,
]);

/** Returns why QEMU cannot run here; undefined: it can. */
export function qemuUnavailableReason(): string | undefined {
  const missing = ['qemu-system-x86_64', 'qemu-img'].filter((program) => spawnSync(program, ['--version']).error);
  return missing.length === 0 ? undefined : `${missing.join(' and ')} not installed: real machines are not tried`;
}

/** Creates a directory with the base image under these names. */
export async function createImages(directory: string, names: readonly string[] = [IMAGE]): Promise<string> {
  await mkdir(directory, { recursive: true });
  const raw = join(directory, 'sector');
  await writeFile(raw, SECTOR);
  for (const name of names)
    await run('qemu-img', ['convert', '-f', 'raw', '-O', 'qcow2', raw, join(directory, `${name}.qcow2`)]);
  return directory;
}

/** Waits until the guest has halted. Returns the number of its boots. */
export async function bootsOf(directory: string, uuid: string): Promise<number> {
  while (await isOnTheWay(directory, uuid)) await delay(20);
  const written = await readFile(join(directory, FILES.console), 'latin1').catch(() => '');
  return written.split('B').length - 1;
}

async function isOnTheWay(directory: string, uuid: string): Promise<boolean> {
  if ((await processOf(directory, uuid)) === undefined) return false;
  const qmp = await Qmp.open(directory, FILES.qmp);
  try {
    const registers = await qmp.execute('human-monitor-command', { 'command-line': 'info registers' });
    return !/EIP=00007c0[78][^]*HLT=1/.test(String(registers));
  } finally {
    qmp.close();
  }
}

/** A QEMU host whose machines end with it. */
export interface QemuFixture extends ProviderFixture {
  readonly machines: string;
  /** The machines with a reported change. */
  readonly heard: readonly string[];
}

export async function openQemuFixture(): Promise<QemuFixture> {
  // Longer than the maximum path of a Unix socket.
  const root = await mkdtemp(join(tmpdir(), `archipelago-${'long-'.repeat(14)}`));
  const machines = join(root, 'vms');
  const images = await createImages(join(root, 'images'));
  const clock = new TestClock();
  const dependencies = providerDependencies(clock);
  const settings = { provider: 'qemu', machines, images, mayGoOut: false } as const;
  const host = await QemuHost.open(settings);
  return {
    clock,
    image: IMAGE,
    machines,
    heard: dependencies.heard,
    provider: () => new QemuProvider(dependencies, host),
    boots: (uuid) => bootsOf(join(machines, uuid), uuid),
    async close() {
      for (const uuid of await readdir(machines)) await killMachine(join(machines, uuid), uuid);
      await rm(root, { recursive: true, force: true });
    },
  };
}
