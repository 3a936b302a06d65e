import { LRUCache } from 'lru-cache';
import { isDeepStrictEqual } from 'node:util';
import type { Runtime } from '../../../kernel/context.js';
import { SharedReader } from '../../../kernel/shared-reader.js';
import { revokedCertificates, signingAuthority, trustedAuthorities } from '../enforcement/authority.actions.js';
import { compile } from '../enforcement/compile.rules.js';
import { loadGraph } from '../enforcement/graph.actions.js';
import type { PeerPlan } from '../enforcement/graph.js';
import { pemOf } from '../../../kernel/host-key.js';
import { nebulaConfiguration } from '../enforcement/nebula.rules.js';
import { topologyTopic } from '../tenant/tenant.actions.js';
import type { PeerConfiguration } from './configuration.js';
import {
  carriedSubnets,
  configurationOf,
  isCarried,
  KEY_FILE,
  lighthousesOf,
  type CarriedSubnets,
} from './configuration.rules.js';
import { readMachines, storeHashes, type Machine, type TenantMachines } from './machine.actions.js';

/** Changes that come within this time of each other are compiled as one, in milliseconds. */
const STEP_MS = 200;

/** Tenants whose newest configurations are kept, whether their machines ask just now or not. */
const MOST_TENANTS = 100;

/** What the machines of a tenant have to run. */
export interface TenantConfigurations {
  readonly tenant: TenantMachines;
  readonly machines: ReadonlyMap<number, Machine>;
  readonly plans: ReadonlyMap<number, PeerPlan>;
  /** Fingerprint of the authority that signs; undefined: none does yet. */
  readonly signer: string | undefined;
  /** Of those that have a certificate. */
  readonly configurations: ReadonlyMap<number, PeerConfiguration>;
}

/** The same with what it was made of, so that only what changed is made anew. */
interface Made extends TenantConfigurations {
  readonly graphRevision: number;
  /** What is the same in all of them. */
  readonly shared: Shared;
}

interface Shared {
  readonly authorities: string;
  readonly blocklist: readonly string[];
  readonly carried: CarriedSubnets;
}

type Reading = Pick<Runtime, 'database' | 'events' | 'now'>;

/** Compiles a tenant's graph once for all its machines that ask this process, and again after each change of it. */
export class Configurations {
  private readonly reader = new SharedReader<TenantConfigurations>({ everyMs: STEP_MS });
  private readonly made = new LRUCache<number, Made>({ max: MOST_TENANTS });

  /** @param hosts where lighthouses are, @param firstPort the port of the tenant whose range is the first */
  constructor(
    private readonly hosts: readonly string[],
    private readonly firstPort: number,
  ) {}

  /** As they are now, then after each change. Ends when the tenant is no more. */
  follow(runtime: Reading, tenantId: number, signal: AbortSignal): AsyncGenerator<TenantConfigurations> {
    const { database, events, now } = runtime;
    const { topic } = topologyTopic(tenantId);
    return this.reader.follow({ topic, events, signal, read: () => this.read({ database, now }, tenantId) });
  }

  /** What a peer has to run that does not ask by its own token; undefined where there is no such peer. */
  async textFor(
    runtime: Pick<Runtime, 'database' | 'now'>,
    tenantId: number,
    {
      peerId,
      certificate,
      keyFile,
    }: { readonly peerId: number; readonly certificate: Buffer; readonly keyFile: string },
  ): Promise<{ readonly text: string; readonly authorities: string } | undefined> {
    const made = await this.read(runtime, tenantId);
    const plan = made?.plans.get(peerId);
    if (!made || !plan) return undefined;
    return { text: this.textOf(made, { plan, certificate, keyFile }), authorities: made.shared.authorities };
  }

  private async read(
    { database, now }: Pick<Runtime, 'database' | 'now'>,
    tenantId: number,
  ): Promise<Made | undefined> {
    const before = this.made.get(tenantId);
    const tenant = await readMachines(database, tenantId);
    if (!tenant) return undefined;
    // Read later than the certificates that are in use: no router's new one is known without the end of the one before.
    const [authorities, signer, blocklist] = await Promise.all([
      trustedAuthorities(database, tenantId, now()),
      signingAuthority(database, tenantId, now()),
      revokedCertificates(database, tenantId, now()),
    ]);
    let { graphRevision, plans } = before ?? { graphRevision: -1, plans: new Map<number, PeerPlan>() };
    if (graphRevision !== tenant.graphRevision) {
      const graph = await loadGraph(database, tenantId);
      graphRevision = graph.graphRevision;
      plans = compile(graph);
    }
    const carried = carriedSubnets(tenant.machines, plans);
    const shared = sameOr(before?.shared, { authorities, blocklist, carried });
    const configurations = this.write({ tenant, plans, shared }, before);
    const made = { tenant, machines: byId(tenant.machines), plans, signer, configurations, graphRevision, shared };
    await storeHashes(database, tenantId, { hashes: newHashes(made, before), now: now() });
    this.made.set(tenantId, made);
    return made;
  }

  private write(
    { tenant, plans, shared }: Pick<Made, 'tenant' | 'plans' | 'shared'>,
    before: Made | undefined,
  ): Map<number, PeerConfiguration> {
    const configurations = new Map<number, PeerConfiguration>();
    for (const { id, certificate } of tenant.machines) {
      const plan = plans.get(id);
      if (!certificate || !plan) continue;
      const kept = keptOf(before, id, { certificate, plan, shared });
      const text = () => this.textOf({ tenant, shared }, { plan, certificate, keyFile: KEY_FILE });
      configurations.set(id, kept ?? configurationOf(text()));
    }
    return configurations;
  }

  private textOf(
    { tenant, shared }: Pick<Made, 'tenant' | 'shared'>,
    { plan, certificate, keyFile }: { readonly plan: PeerPlan; readonly certificate: Buffer; readonly keyFile: string },
  ): string {
    return nebulaConfiguration({
      plan: { ...plan, routes: plan.routes.filter((route) => isCarried(route, shared.carried)) },
      ...shared,
      certificate: pemOf('certificate', certificate),
      keyFile,
      lighthouses: lighthousesOf(tenant, this.hosts, this.firstPort),
      isLighthouse: false,
      listenPort: 0,
    });
  }
}

/** The configuration there was, where it was made of the same. */
function keptOf(
  before: Made | undefined,
  id: number,
  made: { readonly certificate: Buffer; readonly plan: PeerPlan; readonly shared: Shared },
): PeerConfiguration | undefined {
  if (before?.shared !== made.shared || before.plans.get(id) !== made.plan) return undefined;
  return before.machines.get(id)?.certificate?.equals(made.certificate) ? before.configurations.get(id) : undefined;
}

function byId(machines: readonly Machine[]): Map<number, Machine> {
  return new Map(machines.map((machine) => [machine.id, machine]));
}

function sameOr(before: Shared | undefined, now: Shared): Shared {
  return isDeepStrictEqual(before, now) && before ? before : now;
}

/** Of those that this process made anew: another one, started with other settings, must not be answered for ever. */
function newHashes({ machines, configurations }: TenantConfigurations, before: Made | undefined): Map<number, string> {
  const hashes = [...configurations].map(([id, { hash }]) => [id, hash] as const);
  return new Map(
    hashes.filter(
      ([id, hash]) => machines.get(id)?.configHash !== hash && before?.configurations.get(id)?.hash !== hash,
    ),
  );
}
