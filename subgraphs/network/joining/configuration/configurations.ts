import { LRUCache } from 'lru-cache';
import type { Runtime } from '../../../../kernel/subgraph/context.js';
import { unavailable } from '../../../../kernel/errors.js';
import type { Events } from '../../../../kernel/events/events.js';
import { SharedSubscription } from '../../../../kernel/events/sources/shared-subscription.js';
import type { CompileScheduler } from '../../compile/workers/compile-scheduler.js';
import { SingleFlight } from '../../../../kernel/concurrency/single-flight.js';
import type { GraphCompiler, SharedSettings } from '../../compile/workers/compile-job.js';
import type { SerializedGraph } from '../../graph/network-graph/network-graph.js';
import {
  revokedCertificates,
  signingAuthority,
  trustedAuthorities,
} from '../../certificates/authority/authority.actions.js';
import { loadGraph } from '../../graph/network-graph/network-graph.actions.js';
import { topologyTopic } from '../../graph/tenant/tenant.actions.js';
import { carriedSubnets, reuseIfEqual } from './configuration.rules.js';
import { lighthousesOf } from '../../compile/nebula/lighthouse.rules.js';
import type { StoredConfiguration } from './configuration.js';
import { clearHashes, readMachines, storeHashes, type Machine, type TenantMachines } from './machine.actions.js';
import { Refusals } from './refusals.js';

/** Changes within this time are compiled together, in milliseconds. */
const COMPILE_DELAY_MS = 200;

/** Maximum attempts of a request to write its configuration, when the cached plans are evicted. */
const MAX_ATTEMPTS = 5;

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

/** A peer with a key of its own: its certificate, and the path of its private key. */
interface HolderKey {
  readonly peerId: number;
  readonly certificate: Buffer;
  readonly keyFile: string;
}

/** Configurations with their inputs, so that only changed ones are written again. */
interface Built extends TenantConfigurations, CompiledGraph {
  readonly shared: SharedSettings;
}

interface CompiledGraph {
  readonly graphRevision: number;
  /** Size of the graph in characters. */
  readonly size: number;
  readonly subnets: TenantConfigurations['subnets'];
}

/** The inputs of a tenant's configurations, as read from the database. */
interface Input {
  readonly tenant: TenantMachines;
  readonly authorities: string;
  readonly signer: string | undefined;
  readonly blocklist: readonly string[];
  /** Undefined if this revision was compiled before. */
  readonly graph: SerializedGraph | undefined;
  readonly previous: Built | undefined;
}

type Writer = Pick<GraphCompiler, 'write'>;
type BuildRuntime = Pick<Runtime, 'database' | 'now' | 'log'>;

interface FollowRuntime extends BuildRuntime {
  readonly events: Pick<Events, 'subscribe'>;
}

/** Compiles a tenant's graph once per change for all its machines in this process. */
export class Configurations {
  private readonly reader = new SharedSubscription<TenantConfigurations>({ everyMs: COMPILE_DELAY_MS });
  private readonly reads = new SingleFlight<number, Built | undefined>();
  private readonly built = new LRUCache<number, Built>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf });
  private readonly refusals = new Refusals();

  /** @param hosts of the lighthouses @param firstPort the UDP port of the first address range */
  constructor(
    private readonly compiler: CompileScheduler,
    private readonly hosts: readonly string[],
    private readonly firstPort: number,
  ) {}

  /** Yields the current configurations, then those after each change. Ends when the tenant is deleted. @throws UNAVAILABLE over the compile limits */
  follow(runtime: FollowRuntime, tenantId: number, signal: AbortSignal): AsyncGenerator<TenantConfigurations> {
    const { topic } = topologyTopic(tenantId);
    const read = () => this.readOnce(runtime, tenantId);
    return this.reader.follow({ topic, events: runtime.events, signal, read });
  }

  /**
   * Returns the configuration of a peer that does not use a peer token; undefined if there is no such peer.
   * @throws UNAVAILABLE over the compile limits, and while the graph changes continuously
   */
  async textFor(
    runtime: BuildRuntime,
    tenantId: number,
    { peerId, certificate, keyFile }: HolderKey,
  ): Promise<{ readonly text: string; readonly authorities: string } | undefined> {
    const machines = [{ id: peerId, certificate: certificate.toString('hex'), keyFile }];
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const built = await this.readOnce(runtime, tenantId);
      if (!built) return undefined;
      const { graphRevision, size, shared } = built;
      const input = { tenantId, graphRevision, shared, machines };
      const written = await this.compiler.work({ tenantId, size }, (compiler) => compiler.write(input));
      const [chunk] = written?.chunks ?? [];
      if (chunk) return { text: Buffer.from(chunk).toString(), authorities: shared.authorities };
      if (written) return undefined;
      // The plans of this revision are no longer cached: compile again.
      this.built.delete(tenantId);
    }
    throw unavailable('The network is changing; try again in a moment.', { retryAfter: 1 });
  }

  private readOnce(runtime: BuildRuntime, tenantId: number): Promise<Built | undefined> {
    return this.reads.refresh(tenantId, () => this.read(runtime, tenantId));
  }

  private async read(runtime: BuildRuntime, tenantId: number): Promise<Built | undefined> {
    const { database, now } = runtime;
    const previous = this.built.get(tenantId);
    const tenant = await readMachines(database, tenantId);
    if (!tenant) return undefined;
    this.refusals.check(tenant, now());
    // Read after the certificates, so that a new router certificate is never used without the revocation of the previous one.
    const [authorities, signer, blocklist] = await Promise.all([
      trustedAuthorities(database, tenantId, now()),
      signingAuthority(database, tenantId, now()),
      revokedCertificates(database, tenantId, now()),
    ]);
    const isCompiled = previous?.graphRevision === tenant.graphRevision;
    const graph = isCompiled ? undefined : await loadGraph(database, tenantId);
    const size = graph?.text.length ?? previous?.size ?? 0;
    if (graph) this.refusals.checkSize(tenant, size);
    const built = await this.build({ tenant, authorities, signer, blocklist, graph, previous }).catch(
      async (error: unknown) => {
        if (this.refusals.keep(error, { tenant, size, now: now(), log: runtime.log }))
          await clearHashes(database, tenantId, now());
        throw error;
      },
    );
    if (!built) {
      this.built.delete(tenantId);
      return this.read(runtime, tenantId);
    }
    await this.store(runtime, built, previous);
    return built;
  }

  /** Stores new hashes. They may replace those of a newer graph, which are then stored again even if no machine waits here. */
  private async store(runtime: BuildRuntime, built: Built, previous: Built | undefined): Promise<void> {
    const { id } = built.tenant;
    const hashes = newHashes(built, previous);
    const revision = await storeHashes(runtime.database, id, { hashes, now: runtime.now() });
    this.built.set(id, built);
    if ((revision ?? 0) > built.graphRevision) void this.readOnce(runtime, id).catch(() => undefined);
  }

  /** Undefined if the required plans are no longer cached. */
  private async build(input: Input): Promise<Built | undefined> {
    const { tenant, graph, previous } = input;
    if (!graph && previous && this.toWrite(input, previous).changed.length === 0)
      return this.write(NOTHING_TO_WRITE, input, previous);
    const size = { tenantId: tenant.id, size: graph?.text.length ?? previous?.size ?? 0 };
    return this.compiler.work(size, async (compiler) => {
      const compiled = graph ? await compileGraph(compiler, tenant.id, graph) : previous;
      return compiled && this.write(compiler, input, compiled);
    });
  }

  private async write(writer: Writer, input: Input, compiled: CompiledGraph): Promise<Built | undefined> {
    const { tenant, signer } = input;
    const { graphRevision, size, subnets } = compiled;
    const { shared, unchanged, changed } = this.toWrite(input, compiled);
    const written = await writer.write({ tenantId: tenant.id, graphRevision, shared, machines: changed });
    if (!written) return undefined;
    const configurations = new Map(unchanged);
    for (const { id, hash, chunk, from, to } of written.texts) {
      const { buffer } = written.chunks[chunk] ?? new Uint8Array();
      configurations.set(id, { hash, bytes: Buffer.from(buffer, from, to - from) });
    }
    const machines = new Map(tenant.machines.map((machine) => [machine.id, machine]));
    return { tenant, machines, subnets, signer, configurations, graphRevision, size, shared };
  }

  /** Splits the machines into unchanged configurations and configurations to write. */
  private toWrite({ tenant, authorities, blocklist, previous }: Input, { graphRevision, subnets }: CompiledGraph) {
    const carried = carriedSubnets(tenant.machines, subnets);
    const lighthouses = lighthousesOf(tenant, this.hosts, this.firstPort);
    const shared = reuseIfEqual(previous?.shared, { authorities, blocklist, carried, lighthouses });
    const same = previous?.graphRevision === graphRevision && previous.shared === shared ? previous : undefined;
    const unchanged = new Map<number, StoredConfiguration>();
    const changed: { id: number; certificate: string }[] = [];
    for (const machine of tenant.machines) {
      const { id, certificate } = machine;
      const configuration = same && unchangedOf(same, machine);
      if (configuration) unchanged.set(id, configuration);
      else if (certificate) changed.push({ id, certificate: certificate.toString('hex') });
    }
    return { shared, unchanged, changed };
  }
}

/** The previous configuration if the certificate is unchanged. */
function unchangedOf(
  { machines, configurations }: TenantConfigurations,
  { id, certificate }: Machine,
): StoredConfiguration | undefined {
  return certificate && machines.get(id)?.certificate?.equals(certificate) ? configurations.get(id) : undefined;
}

/** Used when there is nothing to write. */
const NOTHING_TO_WRITE: Writer = { write: () => Promise.resolve({ texts: [], chunks: [] }) };

async function compileGraph(compiler: GraphCompiler, tenantId: number, graph: SerializedGraph): Promise<CompiledGraph> {
  const routers = await compiler.compile({ tenantId, ...graph });
  const subnets = new Map(routers.map((router) => [router.id, router.subnets]));
  return { graphRevision: graph.graphRevision, size: graph.text.length, subnets };
}

/** Total bytes of the texts, from 1 to MAX_BYTES: a larger tenant is cached alone. */
function sizeOf({ configurations }: Built): number {
  let bytes = 1;
  for (const { bytes: text } of configurations.values()) bytes += text.length;
  return Math.min(bytes, MAX_BYTES);
}

/** Missing hashes, and those that this process changed. To store those of a process with other settings again would never end. */
function newHashes({ machines, configurations }: Built, previous: Built | undefined): Map<number, string> {
  const hashes = new Map<number, string>();
  for (const [id, { hash }] of configurations) {
    const stored = machines.get(id)?.configHash ?? null;
    if (stored === null || (stored !== hash && previous?.configurations.get(id)?.hash !== hash)) hashes.set(id, hash);
  }
  return hashes;
}
