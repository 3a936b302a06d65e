import type { Runtime } from '../../../../kernel/subgraph/context.js';

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
  /** More for its first boot: cloud configs and shell scripts, by their first lines. */
  readonly parts: readonly string[];
  /** TCP ports beside SSH that are to be reached from the outside. */
  readonly ports: readonly number[];
  /** It cannot do what it is for unless it reaches the platform. */
  readonly goesOut: boolean;
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
  /** Where SSH is found at that address; left out: at 22. */
  readonly sshPort?: number | null;
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
  observe(machine: KnownMachine): Promise<Observation>;
  /** Whether what runs in it answers there; false also where the host cannot tell. */
  probe(machine: KnownMachine, probe: Probe): Promise<boolean>;
  /** The last bytes of what it wrote to its console; null where the host keeps none. */
  console(machine: KnownMachine, bytes: number): Promise<string | null>;
}

/** Where an application answers when it is well. */
export interface Probe {
  /** One of the machine's `ports`. */
  readonly port: number;
  /** Of HTTP; null: any connection. */
  readonly path: string | null;
}

/** A machine, whatever it is asked. */
export type KnownMachine = Pick<Machine, 'uuid' | 'ref'>;

/** A fault whose sentence its owner may read. */
export class ProviderFault extends Error {}

/** The host cannot be asked at present: what it was to do waits, and is no attempt of the machine's. */
export class HostAway extends Error {
  /** @param status of its answer, where it gave one */
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

/** What a host is given of the platform. */
export interface ProviderDependencies extends Pick<Runtime, 'database' | 'now' | 'log'> {
  /** Called when the host saw a machine change by itself: somebody has to look. */
  readonly changed: (uuid: string) => void;
}

/** Gives the provider to whoever runs machines. */
export type ProviderOf = (door: ProviderDependencies) => VmProvider;
