import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverEnvironment } from '../../../../../kernel/config/config.js';
import type { Acceleration } from './command-line.rules.js';
import { QEMU } from './host-process.js';

/** Time-out of a test boot in milliseconds; half a second is usual. */
const TIMEOUT_MS = 60_000;

/** KVM is unusable when it takes longer than this and than this multiple of plain QEMU. */
const SLOW = { ms: 2_000, times: 3 } as const;

/**
 * A disk whose boot sector writes 16 to port 0xf4, so that QEMU exits with 33: `mov al, 16; out 0xf4, al; hlt`. Source:
 * QEMU, isa-debug-exit
 */
const SECTOR = Buffer.concat([Buffer.from([0xb0, 0x10, 0xe6, 0xf4, 0xf4, 0xeb, 0xfd]), Buffer.alloc(2 ** 20 - 7)]);
SECTOR.writeUInt16LE(0xaa55, 510);
const EXIT_CODE = 33;

/**
 * Boots a test sector with each accelerator, because KVM may be present but broken or slow, e.g. in a nested machine.
 * @returns the best one @throws when none boots or QEMU is not installed
 */
export async function probeAcceleration(): Promise<Acceleration> {
  const directory = await mkdtemp(join(tmpdir(), 'archipelago-probe-'));
  try {
    const disk = join(directory, 'sector');
    await writeFile(disk, SECTOR);
    const begunMs = performance.now();
    if (!(await boots('tcg', disk, TIMEOUT_MS))) throw new Error('QEMU boots nothing on this host');
    const limitMs = Math.max(SLOW.ms, SLOW.times * (performance.now() - begunMs));
    return (await boots('kvm', disk, limitMs)) ? 'kvm' : 'tcg';
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function boots(acceleration: Acceleration, disk: string, timeoutMs: number): Promise<boolean> {
  const words = [
    ['-machine', `q35,accel=${acceleration}`, '-nodefaults', '-no-user-config', '-display', 'none', '-m', '32M'],
    ['-device', 'isa-debug-exit,iobase=0xf4,iosize=0x04'],
    ['-drive', `file=${disk},format=raw,if=none,id=disk`, '-device', 'ide-hd,drive=disk'],
  ].flat();
  const child = spawn(QEMU, words, {
    stdio: 'ignore',
    env: serverEnvironment(),
    timeout: Math.ceil(timeoutMs),
    killSignal: 'SIGKILL',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === EXIT_CODE;
}
