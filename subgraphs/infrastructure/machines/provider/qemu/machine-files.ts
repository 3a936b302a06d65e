import { access, mkdir, open, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProviderFault, type MachineSpec } from '../provider.js';
import { SEED_LABEL, seedOf } from '../seed/seed.rules.js';
import { volumeOf } from '../seed/volume.rules.js';
import { FILES, macOf, type Forward } from './command-line.rules.js';
import { runQemuImg } from './host-process.js';

/** Stored settings of a machine. */
export interface KeptMachine {
  readonly cpuCores: number;
  readonly memoryMb: number;
  readonly forwards: readonly Forward[];
  /** The last requested reboot; `isDone`: the guest was restarted. */
  readonly reboot?: { readonly command: string; readonly isDone: boolean };
}

const SETTINGS = 'machine.json';
const GONE = 'gone';

/** Console size in bytes at which it is truncated, and the size kept. */
const CONSOLE = { maxBytes: 4 * 2 ** 20, keptBytes: 2 ** 20 } as const;

/** Machine directories of this host, named by uuid. */
export class MachineFiles {
  constructor(
    private readonly root: string,
    private readonly images: string,
  ) {}

  directoryOf(uuid: string): string {
    return join(this.root, uuid);
  }

  /** Undefined: no such machine. */
  async read(uuid: string): Promise<KeptMachine | undefined> {
    const text = await readFile(join(this.directoryOf(uuid), SETTINGS), 'utf8').catch(unlessMissing);
    return text === undefined ? undefined : (JSON.parse(text) as KeptMachine);
  }

  async write(uuid: string, machine: KeptMachine): Promise<void> {
    await replace(join(this.directoryOf(uuid), SETTINGS), JSON.stringify(machine));
  }

  /** Creates disk and seed atomically. An interrupted creation starts over. @throws ProviderFault */
  async make(spec: MachineSpec): Promise<void> {
    const [directory, draft] = [this.directoryOf(spec.uuid), `${this.directoryOf(spec.uuid)}.part`];
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: 0o700 });
    await this.makeDisk(spec, draft);
    const seed = volumeOf(SEED_LABEL, seedOf(spec, macOf(spec.uuid)));
    await writeFile(join(draft, FILES.seed), seed, { mode: 0o600, flush: true });
    const { cpuCores, memoryMb, ports } = spec;
    const forwards = [22, ...ports.filter((port) => port !== 22)].map((guest) => ({ guest, host: 0 }));
    await replace(join(draft, SETTINGS), JSON.stringify({ cpuCores, memoryMb, forwards } satisfies KeptMachine));
    await rename(draft, directory);
  }

  private async makeDisk({ image, diskGb }: MachineSpec, draft: string): Promise<void> {
    const file = join(this.images, `${image}.qcow2`);
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (!isThere) throw new ProviderFault(`The host does not have the image "${image}" yet.`);
    const printed = await runQemuImg(['info', '--output=json', file], draft);
    const { 'virtual-size': bytes } = JSON.parse(printed) as { 'virtual-size': number };
    if (bytes > diskGb * 2 ** 30)
      throw new ProviderFault(`The image "${image}" needs a disk of ${Math.ceil(bytes / 2 ** 30)} GB.`);
    await runQemuImg(['create', '-q', '-f', 'qcow2', '-F', 'qcow2', '-b', file, FILES.disk, `${diskGb}G`], draft);
  }

  /** Whether it was destroyed. */
  async isGone(uuid: string): Promise<boolean> {
    return (await readFile(join(this.root, GONE, uuid)).catch(unlessMissing)) !== undefined;
  }

  /** Records the destruction before it begins. */
  async markGone(uuid: string): Promise<void> {
    await mkdir(join(this.root, GONE), { recursive: true, mode: 0o700 });
    await writeFile(join(this.root, GONE, uuid), '', { mode: 0o600, flush: true });
  }

  async remove(uuid: string): Promise<void> {
    // Rename first, so that a partly deleted machine is never used.
    const draft = `${this.directoryOf(uuid)}.part`;
    await rm(draft, { recursive: true, force: true });
    await rename(this.directoryOf(uuid), draft).catch(unlessMissing);
    await rm(draft, { recursive: true, force: true });
  }

  /** The last bytes of console output. */
  async console(uuid: string, bytes: number): Promise<string> {
    return (await this.consoleTail(uuid, bytes)).toString('utf8');
  }

  /** Truncates the console file, because a guest may write without limit. */
  async shortenConsole(uuid: string): Promise<void> {
    const file = join(this.directoryOf(uuid), FILES.console);
    const found = await stat(file).catch(unlessMissing);
    if (!found || found.size <= CONSOLE.maxBytes) return;
    const keptBytes = await this.consoleTail(uuid, CONSOLE.keptBytes);
    await truncate(file);
    await writeFile(file, keptBytes, { flag: 'a' });
  }

  private async consoleTail(uuid: string, bytes: number): Promise<Buffer> {
    const file = await open(join(this.directoryOf(uuid), FILES.console)).catch(unlessMissing);
    if (!file) return Buffer.alloc(0);
    try {
      const { size } = await file.stat();
      const length = Math.min(size, bytes);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }
}

async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
