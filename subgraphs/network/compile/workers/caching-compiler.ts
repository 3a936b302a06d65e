import { createHash } from 'node:crypto';
import { isCarried, subnetsOf } from '../nebula/carried-subnets.rules.js';
import { KEY_FILE } from '../nebula/nebula.rules.js';
import { compile } from '../compiler/compile.rules.js';
import type { PeerPlan } from '../compiler/peer-plan.js';
import { pemOf } from '../../../../kernel/security/host-key.js';
import { nebulaConfiguration } from '../nebula/nebula.rules.js';
import { planDifference, type PolicyPlan } from '../reachability/graph-diff.rules.js';
import { parseGraph } from '../../graph/network-graph/network-graph.rules.js';
import type { CompileLimits } from '../../config.js';
import type {
  GraphToCompile,
  MachineToWrite,
  PlanQuestion,
  RouterSubnets,
  SharedSettings,
  TextsToWrite,
  WrittenText,
  WrittenTexts,
} from './compile-job.js';
import { overMemory } from './compile-limit.rules.js';

/** Maximum total of the estimates of cached plans. The newest plans are cached whatever their size. */
const MAX_PLAN_BYTES = 48 * 1_024 * 1_024;

/** Plans of a large graph are about 100 times larger than its text. */
const BYTES_OF_CHARACTER = 100;

/** Bytes after which a chunk is full. */
const CHUNK_BYTES = 2 ** 20;

interface CachedPlans {
  readonly graphRevision: number;
  /** Estimated. */
  readonly sizeBytes: number;
  readonly plans: ReadonlyMap<number, PeerPlan>;
}

/** Compiles graphs and writes configurations. Caches the plans of some tenants, so that a new certificate rewrites only one text. */
export class CachingCompiler {
  constructor(private readonly limits: CompileLimits) {}

  /** By tenant, the newest last. */
  private readonly cached = new Map<number, CachedPlans>();

  compile({ tenantId, graphRevision, text }: GraphToCompile): RouterSubnets[] {
    this.cached.delete(tenantId);
    const plans = compile(parseGraph(text));
    this.cache(tenantId, { graphRevision, plans, sizeBytes: BYTES_OF_CHARACTER * text.length });
    return [...plans]
      .map(([id, plan]) => ({ id, subnets: subnetsOf(plan) }))
      .filter(({ subnets }) => subnets.length > 0);
  }

  /** @throws UNAVAILABLE when the texts exceed the memory limit */
  write({ tenantId, graphRevision, shared, machines }: TextsToWrite): WrittenTexts | undefined {
    const cached = this.cached.get(tenantId);
    if (cached?.graphRevision !== graphRevision) return undefined;
    this.cache(tenantId, cached);
    const chunks = new Chunks(this.limits);
    for (const machine of machines) {
      const plan = cached.plans.get(machine.id);
      if (plan) chunks.add(machine.id, textOf(plan, shared, machine));
    }
    return chunks.end();
  }

  plan({ graph: text, after }: PlanQuestion): PolicyPlan {
    const graph = parseGraph(text);
    if (typeof after === 'string') return planDifference(graph, parseGraph(after));
    const others = graph.policies.filter(({ id }) => id !== after.without);
    return planDifference(graph, { ...graph, policies: after.added ? [...others, after.added] : others });
  }

  private cache(tenantId: number, cached: CachedPlans): void {
    this.cached.delete(tenantId);
    let left = MAX_PLAN_BYTES - cached.sizeBytes;
    for (const [id, { sizeBytes }] of [...this.cached].toReversed()) {
      left -= sizeBytes;
      if (left < 0) this.cached.delete(id);
    }
    this.cached.set(tenantId, cached);
  }
}

function textOf(
  plan: PeerPlan,
  { carried, ...shared }: SharedSettings,
  { certificate, keyFile = KEY_FILE }: MachineToWrite,
) {
  return nebulaConfiguration({
    plan: { ...plan, routes: plan.routes.filter((route) => isCarried(route, carried)) },
    ...shared,
    certificate: pemOf('certificate', Buffer.from(certificate, 'hex')),
    keyFile,
    isLighthouse: false,
    listenPort: 0,
  });
}

/** Collects texts into chunks. */
class Chunks {
  private readonly limits: CompileLimits;
  private leftBytes: number;
  private readonly texts: WrittenText[] = [];
  private readonly chunks: Uint8Array<ArrayBuffer>[] = [];
  private open: string[] = [];
  private openBytes = 0;

  constructor(limits: CompileLimits) {
    this.limits = limits;
    this.leftBytes = limits.memoryMib * 2 ** 20;
  }

  add(id: number, text: string): void {
    const [from, to] = [this.openBytes, this.openBytes + Buffer.byteLength(text)];
    const hash = createHash('sha256').update(text).digest('hex');
    this.texts.push({ id, hash, chunk: this.chunks.length, from, to });
    this.leftBytes -= to - from;
    if (this.leftBytes < 0) throw overMemory(this.limits);
    this.open.push(text);
    this.openBytes = to;
    if (to >= CHUNK_BYTES) this.fill();
  }

  end(): WrittenTexts {
    if (this.openBytes > 0) this.fill();
    return { texts: this.texts, chunks: this.chunks };
  }

  private fill(): void {
    this.chunks.push(new TextEncoder().encode(this.open.join('')));
    this.open = [];
    this.openBytes = 0;
  }
}
