import type { SerializedGraph } from '../../graph/network-graph/network-graph.js';
import type { CarriedSubnets } from '../nebula/carried-subnets.rules.js';
import type { GraphPolicy } from '../../graph/network-graph/network-graph.js';
import type { Lighthouse } from '../nebula/nebula.rules.js';
import type { PolicyPlan } from '../reachability/graph-diff.rules.js';

export interface GraphToCompile extends SerializedGraph {
  readonly tenantId: number;
}

/** A router and the subnets that its certificate must contain. */
export interface RouterSubnets {
  readonly id: number;
  readonly subnets: readonly string[];
}

/** The settings that all configurations of a tenant share. */
export interface SharedSettings {
  /** PEM blocks of all trusted authorities. */
  readonly authorities: string;
  /** Fingerprints in a deterministic order. */
  readonly blocklist: readonly string[];
  readonly carried: CarriedSubnets;
  readonly lighthouses: readonly Lighthouse[];
}

/** Configurations to write from a compiled graph. */
export interface TextsToWrite {
  readonly tenantId: number;
  readonly graphRevision: number;
  readonly shared: SharedSettings;
  readonly machines: readonly MachineToWrite[];
}

export interface MachineToWrite {
  readonly id: number;
  /** In hex. */
  readonly certificate: string;
  /** Path of its private key. Default: the path of the join script. */
  readonly keyFile?: string;
}

/** Position of a text in the chunks, in bytes. */
export interface WrittenText {
  readonly id: number;
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly chunk: number;
  readonly from: number;
  readonly to: number;
}

/** Many texts in few chunks of bytes, which are transferred between threads without a copy. */
export interface WrittenTexts {
  readonly texts: readonly WrittenText[];
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
}

/** A change to plan: of one policy, or to another graph. */
export interface PlanQuestion {
  readonly graph: string;
  readonly after: string | PolicyReplacement;
}

interface PolicyReplacement {
  /** The policy to remove. */
  readonly without: number | undefined;
  /** The policy to add. */
  readonly added: GraphPolicy | undefined;
}

/** Operations on graphs, on this thread or in a worker thread. */
export interface GraphCompiler {
  /** Compiles the graph and caches its plans, replacing earlier ones. */
  compile(graph: GraphToCompile): Promise<readonly RouterSubnets[]>;
  /** Writes the texts of peers that have a plan; undefined when the plans are no longer cached. */
  write(texts: TextsToWrite): Promise<WrittenTexts | undefined>;
  /** @throws BAD_REQUEST when it would take too long */
  plan(question: PlanQuestion): Promise<PolicyPlan>;
}

/** A job as sent to a worker thread. */
export type CompileJob =
  | { readonly kind: 'compile'; readonly graph: GraphToCompile }
  | { readonly kind: 'write'; readonly texts: TextsToWrite }
  | { readonly kind: 'plan'; readonly question: PlanQuestion };
