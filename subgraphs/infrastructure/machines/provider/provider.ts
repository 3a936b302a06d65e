import type { Runtime } from '../../../../kernel/subgraph/context.js';

/** Specification of a machine. */
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
  /** Additional cloud-init parts; the first line gives the type. */
  readonly parts: readonly string[];
  /** TCP ports, besides SSH, that are reachable from outside. */
  readonly ports: readonly number[];
  /** Whether it needs outgoing connections. */
  readonly goesOut: boolean;
}

/** A machine and the command for it. */
export interface Machine {
  readonly uuid: string;
  /** Result of `create`; null: unknown, found by the uuid. */
  readonly ref: string | null;
  /** Time of the command; the same for each repetition. */
  readonly requestedAt: Date;
  /** Id of the command; the same for each repetition. */
  readonly command: string;
}

/** State on the host. `busy`: in transition, poll again. */
export interface Observation {
  readonly state: 'running' | 'stopped' | 'busy' | 'gone' | 'broken';
  readonly publicIp: string | null;
  /** SSH port at that address; omitted: 22. */
  readonly sshPort?: number | null;
  /** Message for the owner when it is broken. */
  readonly reason?: string;
}

/**
 * A host for machines. Commands are idempotent, also across processes: `create` twice with one uuid gives one machine,
 * `destroy` of a missing machine succeeds, and `create` never restores a destroyed one. A command returns once the host has
 * accepted it; `observe` shows when it is complete.
 */
export interface VmProvider {
  /** @returns the reference of the machine on the host */
  create(spec: MachineSpec): Promise<string>;
  start(machine: Machine): Promise<void>;
  /** Shuts the guest down; forces it off after a grace period. */
  stop(machine: Machine): Promise<void>;
  /** Starts a guest that is down. */
  reboot(machine: Machine): Promise<void>;
  /** Deletes the machine and its disk. */
  destroy(machine: Machine): Promise<void>;
  observe(machine: ObservedMachine): Promise<Observation>;
  /** Runs a health check; false also when the host cannot tell. */
  probe(machine: KnownMachine, probe: Probe): Promise<boolean>;
  /** The last bytes of console output; null when the host keeps none. */
  console(machine: KnownMachine, bytes: number): Promise<string | null>;
}

/** Health check of an application. */
export interface Probe {
  /** One of the machine's `ports`. */
  readonly port: number;
  /** HTTP path; null: a TCP connection is enough. */
  readonly path: string | null;
}

/** The identity of a machine. */
export type KnownMachine = Pick<Machine, 'uuid' | 'ref'>;

/** A machine and the command under way; without one it is at rest. */
export type ObservedMachine = KnownMachine & Partial<Pick<Machine, 'command'>>;

/** A fault with a message for the owner. */
export class ProviderFault extends Error {}

/** The host is unreachable: the command is retried later and not counted as an attempt. */
export class HostUnreachable extends Error {
  /** @param status HTTP status, if it answered */
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

/** Dependencies of a provider. */
export interface ProviderDependencies extends Pick<Runtime, 'database' | 'now' | 'log'> {
  /** Called when a machine changed on the host, so that it is polled. */
  readonly changed: (uuid: string) => void;
}

/** Creates a provider. */
export type ProviderOf = (dependencies: ProviderDependencies) => VmProvider;
