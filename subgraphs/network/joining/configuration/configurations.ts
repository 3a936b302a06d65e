import { LRUCache } from 'lru-cache';
import { isDeepStrictEqual } from 'node:util';
import type { Runtime } from '../../../../kernel/subgraph/context.js';
import { unavailable } from '../../../../kernel/errors.js';
import type { Events } from '../../../../kernel/events/events.js';
import { SharedSubscription } from '../../../../kernel/events/shared-subscription.js';
import type { Compiler } from '../../compile/compiler/compiler.js';
import { SingleFlight } from '../../../../kernel/concurrency/single-flight.js';
import type { Bench, SharedSettings } from '../../compile/compiler/work.js';
import type { SerializedGraph } from '../../graph/network-graph/network-graph.js';
import {
  revokedCertificates,
  signingAuthority,
  trustedAuthorities,
} from '../../certificates/authority/authority.actions.js';
import { loadGraph } from '../../graph/network-graph/network-graph.actions.js';
import { topologyTopic } from '../../graph/tenant/tenant.actions.js';
import { carriedSubnets } from './configuration.rules.js';
import { lighthousesOf } from '../../compile/nebula/lighthouse.rules.js';
import type { StoredConfiguration } from './configuration.js';
import { forgetHashes, readMachines, storeHashes, type Machine, type TenantMachines } from './machine.actions.js';
import { Refusals } from './refusals.js';

/** Changes within this time are compiled together, in milliseconds. */
const STEP_MS = 200;

/** Maximum number of times that lost plans are compiled again for one waiting request. */
const MAX_TRIES = 5;

/** Maximum bytes of cached configurations. */
const MAX_BYTES = 2 ** 28;

/** The configurations of a tenant's machines. */
export interface TenantConfigurations {
  readonly tenant: TenantMachines;
  readonly machines: ReadonlyMap<number, Machine>;
  /** The subnets that the certificates of routers must contain, by peer. */
  readonly subnets: ReadonlyMap<number, readonly string[]>;
  /** Fingerprint of the signing authority; undefined before the first one. */
  readonly signer: string | undefined;
  /** By peer, for peers with a certificate. */
  readonly configurations: ReadonlyMap<number, StoredConfiguration>;
}

/** A peer that runs a configuration, and the path of its private key. */
interface Holder {
  readonly peerId: number;
  readonly certificate: Buffer;
  readonly keyFile: string;
}

/** Configurations with their inputs, so that only changed ones are written again. */
interface Made extends TenantConfigurations, CompiledGraph {
  readonly shared: SharedSettings;
}

interface CompiledGraph {
  readonly graphRevision: number;
  /** Size of the graph in characters. */
  readonly size: number;
  readonly subnets: TenantConfigurations['subnets'];
}

/** The inputs of a tenant's configurations, as read from the database. */
interface Read {
  readonly tenant: TenantMachines;
  readonly authorities: string;
  readonly signer: string | undefined;
  readonly blocklist: readonly string[];
  /** Undefined if this revision was compiled before. */
  readonly graph: SerializedGraph | undefined;
  readonly before: Made | undefined;
}

interface Reading extends Pick<Runtime, 'database' | 'now' | 'log'> {
  readonly events: Pick<Events, 'subscribe'>;
}

/** Compiles a tenant's graph once per change for all its machines in this process. */
export class Configurations {
  private readonly reader = new SharedSubscription<TenantConfigurations>({ everyMs: STEP_MS });
  private readonly reads = new SingleFlight<number, Made | undefined>();
  private readonly made = new LRUCache<number, Made>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf });
  private readonly refusals = new Refusals();

  /** @param hosts of the lighthouses, @param firstPort the port for the tenant with the first range */
  constructor(
    private readonly compiler: Compiler,
    private readonly hosts: readonly string[],
    private readonly firstPort: number,
  ) {}

  /** Yields the current configurations, then those after each change. Ends when the tenant is deleted. @throws UNAVAILABLE over the compile limits */
  follow(runtime: Reading, tenantId: number, signal: AbortSignal): AsyncGenerator<TenantConfigurations> {
    const { topic } = topologyTopic(tenantId);
    const read = () => this.readOnce(runtime, tenantId);
    return this.reader.follow({ topic, events: runtime.events, signal, read });
  }

  /**
   * Returns the configuration of a peer that does not use a peer token; undefined if there is no such peer.
   * @throws UNAVAILABLE over the compile limits, and while the graph changes continuously
   */
  async textFor(
    runtime: Pick<Runtime, 'database' | 'now' | 'log'>,
    tenantId: number,
    { peerId, certificate, keyFile }: Holder,
  ): Promise<{ readonly text: string; readonly authorities: string } | undefined> {
    const machines = [{ id: peerId, certificate: certificate.toString('hex'), keyFile }];
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const made = await this.readOnce(runtime, tenantId);
      if (!made) return undefined;
      const { graphRevision, size, shared } = made;
      const wanted = { tenantId, graphRevision, shared, machines };
      const written = await this.compiler.work({ tenantId, size }, (bench) => bench.write(wanted));
      const [chunk] = written?.chunks ?? [];
      if (chunk) return { text: Buffer.from(chunk).toString(), authorities: shared.authorities };
      if (written) return undefined;
      // The plans of this revision are no longer cached: compile again.
      this.made.delete(tenantId);
    }
    throw unavailable('The network is changing; try again in a moment.', { retryAfter: 1 });
  }

  private readOnce(runtime: Pick<Runtime, 'database' | 'now' | 'log'>, tenantId: number): Promise<Made | undefined> {
    return this.reads.refresh(tenantId, () => this.read(runtime, tenantId));
  }

  private async read(runtime: Pick<Runtime, 'database' | 'now' | 'log'>, tenantId: number): Promise<Made | undefined> {
    const { database, now } = runtime;
    const before = this.made.get(tenantId);
    const tenant = await readMachines(database, tenantId);
    if (!tenant) return undefined;
    this.refusals.check(tenant, now());
    // Read after the certificates, so that a new router certificate is never used without the revocation of the previous one.
    const [authorities, signer, blocklist] = await Promise.all([
      trustedAuthorities(database, tenantId, now()),
      signingAuthority(database, tenantId, now()),
      revokedCertificates(database, tenantId, now()),
    ]);
    const isCompiled = before?.graphRevision === tenant.graphRevision;
    const graph = isCompiled ? undefined : await loadGraph(database, tenantId);
    const size = graph?.text.length ?? before?.size ?? 0;
    if (graph) this.refusals.checkSize(tenant, size);
    const made = await this.make({ tenant, authorities, signer, blocklist, graph, before }).catch(
      async (error: unknown) => {
        if (this.refusals.keep(error, { tenant, size, now: now(), log: runtime.log }))
          await forgetHashes(database, tenantId, now());
        throw error;
      },
    );
    if (!made) {
      this.made.delete(tenantId);
      return this.read(runtime, tenantId);
    }
    await storeHashes(database, tenantId, { hashes: newHashes(made, before), now: now() });
    this.made.set(tenantId, made);
    return made;
  }

  /** Undefined if the required plans are no longer cached. */
  private async make(read: Read): Promise<Made | undefined> {
    const { tenant, graph, before } = read;
    if (!graph && before && this.toWrite(read, before).machines.length === 0) return this.write(NO_BENCH, read, before);
    const size = { tenantId: tenant.id, size: graph?.text.length ?? before?.size ?? 0 };
    return this.compiler.work(size, async (bench) => {
      const compiled = graph ? await compileGraph(bench, tenant.id, graph) : before;
      return compiled && this.write(bench, read, compiled);
    });
  }

  private async write(bench: Pick<Bench, 'write'>, read: Read, compiled: CompiledGraph): Promise<Made | undefined> {
    const { tenant, signer } = read;
    const { graphRevision, size, subnets } = compiled;
    const { shared, kept, machines } = this.toWrite(read, compiled);
    const written = await bench.write({ tenantId: tenant.id, graphRevision, shared, machines });
    if (!written) return undefined;
    const configurations = new Map(kept);
    for (const { id, hash, chunk, from, to } of written.texts) {
      const { buffer } = written.chunks[chunk] ?? new Uint8Array();
      configurations.set(id, { hash, bytes: Buffer.from(buffer, from, to - from) });
    }
    return { tenant, machines: byId(tenant.machines), subnets, signer, configurations, graphRevision, size, shared };
  }

  /** Splits the machines into unchanged configurations and configurations to write. */
  private toWrite({ tenant, authorities, blocklist, before }: Read, { graphRevision, subnets }: CompiledGraph) {
    const carried = carriedSubnets(tenant.machines, subnets);
    const lighthouses = lighthousesOf(tenant, this.hosts, this.firstPort);
    const shared = sameOr(before?.shared, { authorities, blocklist, carried, lighthouses });
    const same = before?.graphRevision === graphRevision && before.shared === shared ? before : undefined;
    const kept = new Map<number, StoredConfiguration>();
    const machines: { id: number; certificate: string }[] = [];
    for (const machine of tenant.machines) {
      const { id, certificate } = machine;
      const configuration = same && keptOf(same, machine);
      if (configuration) kept.set(id, configuration);
      else if (certificate) machines.push({ id, certificate: certificate.toString('hex') });
    }
    return { shared, kept, machines };
  }
}

/** The previous configuration if the certificate is unchanged. */
function keptOf(
  { machines, configurations }: TenantConfigurations,
  { id, certificate }: Machine,
): StoredConfiguration | undefined {
  return certificate && machines.get(id)?.certificate?.equals(certificate) ? configurations.get(id) : undefined;
}

/** Used when there is nothing to write. */
const NO_BENCH: Pick<Bench, 'write'> = { write: () => Promise.resolve({ texts: [], chunks: [] }) };

async function compileGraph(bench: Bench, tenantId: number, graph: SerializedGraph): Promise<CompiledGraph> {
  const routers = await bench.compile({ tenantId, ...graph });
  const subnets = new Map(routers.map((router) => [router.id, router.subnets]));
  return { graphRevision: graph.graphRevision, size: graph.text.length, subnets };
}

/** Total bytes of the texts; at least 1. */
function sizeOf({ configurations }: Made): number {
  let bytes = 1;
  for (const { bytes: text } of configurations.values()) bytes += text.length;
  return Math.min(bytes, MAX_BYTES);
}

function byId(machines: readonly Machine[]): Map<number, Machine> {
  return new Map(machines.map((machine) => [machine.id, machine]));
}

function sameOr(before: SharedSettings | undefined, now: SharedSettings): SharedSettings {
  return isDeepStrictEqual(before, now) && before ? before : now;
}

/** Hashes that this process created. Other hashes may come from a process with other settings; storing them again would never end. */
function newHashes({ machines, configurations }: TenantConfigurations, before: Made | undefined): Map<number, string> {
  const hashes = [...configurations].map(([id, { hash }]) => [id, hash] as const);
  return new Map(
    hashes.filter(
      ([id, hash]) => machines.get(id)?.configHash !== hash && before?.configurations.get(id)?.hash !== hash,
    ),
  );
}
