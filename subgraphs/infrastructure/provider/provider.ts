import type { Runtime } from '../../../kernel/context.js';

/** What a machine is made of. */
export interface MachineSpec {
  readonly uuid: string;
  readonly hostName: string;
  readonly cpuCores: number;
  readonly memoryMb: number;
  readonly diskGb: number;
  /** Slug of the image. */
  readonly image: string;
  /** Slug of the application; null: none. */
  readonly application: string | null;
  readonly sshPublicKey: string;
}

/** A machine as its host is asked about it. */
export interface Machine {
  readonly uuid: string;
  /** What `create` answered; null: that is not known, the uuid finds it. */
  readonly ref: string | null;
  /** When this command was asked for; the same each time it is repeated. */
  readonly askedAt: Date;
  /** Names this command; the same each time it is repeated. */
  readonly command: string;
}

/** What the host sees. `busy`: on its way to what it was told, ask again. */
export interface Observation {
  readonly state: 'running' | 'stopped' | 'busy' | 'gone' | 'broken';
  readonly publicIp: string | null;
  readonly overlayIp: string | null;
  /** A sentence for its owner where it is broken. */
  readonly reason?: string;
}

/**
 * Where machines run. Each command may be repeated, also by another process after a crash, and has the effect of one:
 * `create` twice with one uuid is one machine, `destroy` of one that is gone succeeds, and no `create` brings back one that
 * was destroyed. A command returns once the host has taken it; `observe` tells when it is done.
 */
export interface VmProvider {
  /** @returns by what the host knows it */
  create(spec: MachineSpec): Promise<string>;
  start(machine: Machine): Promise<void>;
  /** Asks the guest to shut down, and forces it when it does not. */
  stop(machine: Machine): Promise<void>;
  reboot(machine: Machine): Promise<void>;
  /** For ever, with its disk. */
  destroy(machine: Machine): Promise<void>;
  observe(machine: Pick<Machine, 'uuid' | 'ref'>): Promise<Observation>;
}

/** A fault whose sentence its owner may read. */
export class ProviderFault extends Error {}

/** Gives the provider to whoever has a database and a clock. */
export type ProviderOf = (door: Pick<Runtime, 'database' | 'now'>) => VmProvider;
