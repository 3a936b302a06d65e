import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { FILES } from '../../subgraphs/infrastructure/machines/provider/qemu/command-line.rules.js';
import { killMachine, processOf } from '../../subgraphs/infrastructure/machines/provider/qemu/host-process.js';
import { QemuHost, QemuProvider } from '../../subgraphs/infrastructure/machines/provider/qemu/qemu.js';
import { Qmp } from '../../subgraphs/infrastructure/machines/provider/qemu/qmp.js';
import { providerDependencies, TestClock, type ProviderFixture } from './provider-fixture.js';

const run = promisify(execFile);

/** An image without a system: it says `B` on its console and halts for ever, deaf to being asked to shut down. */
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

/** Why machines cannot run here; undefined: they can. */
export function whyNoQemu(): string | undefined {
  const missing = ['qemu-system-x86_64', 'qemu-img'].filter((program) => spawnSync(program, ['--version']).error);
  return missing.length === 0 ? undefined : `${missing.join(' and ')} not installed: real machines are not tried`;
}

/** A directory with a base image, under the given names. */
export async function makeImages(directory: string, names: readonly string[] = [IMAGE]): Promise<string> {
  await mkdir(directory, { recursive: true });
  const raw = join(directory, 'sector');
  await writeFile(raw, SECTOR);
  for (const name of names)
    await run('qemu-img', ['convert', '-f', 'raw', '-O', 'qcow2', raw, join(directory, `${name}.qcow2`)]);
  return directory;
}

/** How often the guest has booted: waits until it has come to its halt. */
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

/** A host of its own, whose machines end with it. */
export interface QemuStage extends ProviderFixture {
  readonly machines: string;
  /** The machines of which a change was told. */
  readonly heard: readonly string[];
}

export async function openQemuStage(): Promise<QemuStage> {
  // Longer than a path of a socket may be.
  const root = await mkdtemp(join(tmpdir(), `archipelago-${'long-'.repeat(14)}`));
  const machines = join(root, 'vms');
  const images = await makeImages(join(root, 'images'));
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
