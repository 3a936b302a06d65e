import type { SerializedGraph } from '../../graph/network-graph/network-graph.js';
import type { CarriedSubnets } from '../nebula/carried-subnets.rules.js';
import type { GraphPolicy } from '../../graph/network-graph/network-graph.js';
import type { Lighthouse } from '../nebula/nebula.rules.js';
import type { PolicyPlan } from '../reachability/policy-plan.rules.js';

export interface GraphToCompile extends SerializedGraph {
  readonly tenantId: number;
}

/** A peer that leads somewhere, with what its certificate has to name. */
export interface RouterSubnets {
  readonly id: number;
  readonly subnets: readonly string[];
}

/** What is the same in all configurations of a tenant. */
export interface SharedSettings {
  /** PEM blocks of all trusted authorities. */
  readonly authorities: string;
  /** Fingerprints, in a steady order. */
  readonly blocklist: readonly string[];
  readonly carried: CarriedSubnets;
  readonly lighthouses: readonly Lighthouse[];
}

/** Configurations to be written of a graph that was compiled before. */
export interface TextsToWrite {
  readonly tenantId: number;
  readonly graphRevision: number;
  readonly shared: SharedSettings;
  readonly machines: readonly MachineToWrite[];
}

export interface MachineToWrite {
  readonly id: number;
  /** In hex digits. */
  readonly certificate: string;
  /** Where it keeps its private key; undefined: where those do that join. */
  readonly keyFile?: string;
}

/** Where a text is in the chunks, in bytes. */
export interface WrittenText {
  readonly id: number;
  /** SHA-256 in hex digits. */
  readonly hash: string;
  readonly chunk: number;
  readonly from: number;
  readonly to: number;
}

/** Many texts in few chunks of bytes, which change hands without being copied. */
export interface WrittenTexts {
  readonly texts: readonly WrittenText[];
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
}

/** Other policies for a graph. */
export interface PlanQuestion {
  readonly graph: string;
  /** The policy that is not there any more. */
  readonly without: number | undefined;
  /** The one that is there instead, or besides. */
  readonly added: GraphPolicy | undefined;
}

/** What is made of graphs: here, or in a thread of its own. */
export interface Bench {
  /** Compiles the graph and keeps the plans, in place of any before. */
  compile(graph: GraphToCompile): Promise<readonly RouterSubnets[]>;
  /** Texts for those that have a plan; undefined where the plans are not kept any more. */
  write(wanted: TextsToWrite): Promise<WrittenTexts | undefined>;
  /** @throws BAD_REQUEST where it would take too long to tell */
  plan(question: PlanQuestion): Promise<PolicyPlan>;
}

/** One of those as it is sent to a thread. */
export type Job =
  | { readonly kind: 'compile'; readonly graph: GraphToCompile }
  | { readonly kind: 'write'; readonly wanted: TextsToWrite }
  | { readonly kind: 'plan'; readonly question: PlanQuestion };
