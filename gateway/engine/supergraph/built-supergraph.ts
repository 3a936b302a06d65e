import type { PlanNode, SubscriptionNode } from '@apollo/query-planner';
import { buildSchema, print, printSchema, type DocumentNode } from 'graphql';
import { createHash } from 'node:crypto';
import type { FieldCost } from '../field-costs.js';
import { readSupergraph } from './read-supergraph.js';
import { hasRequiredNames } from './required-fields.js';
import type { Supergraph } from './supergraph.js';

/** The file of the build for the platform's supergraph. */
export const BUILT_SUPERGRAPH = 'dist/supergraph.json';

/** The planner's output for a supergraph, as JSON that the build writes, so that a start does not load the planner. */
export interface BuiltSupergraph {
  /** Hash of the SDL of the supergraph. */
  readonly hash: string;
  /** SDL of what clients see. */
  readonly schema: string;
  readonly outline: {
    readonly objectTypes: readonly string[];
    readonly interfaces: readonly string[];
    readonly subtypes: Readonly<Record<string, readonly string[]>>;
    readonly fieldNames: readonly string[];
    readonly costs: Readonly<Record<string, FieldCost>>;
  };
  /** By `planKey`. */
  readonly plans: Readonly<Record<string, PlanNode | SubscriptionNode>>;
}

/**
 * Reads a supergraph from the output of the build. The planner is loaded for the first operation without a built plan.
 * @param json a `BuiltSupergraph`; undefined, or one of another SDL: the planner reads the SDL now
 */
export function readBuiltSupergraph(sdl: string, json: string | undefined): Supergraph {
  const built = json === undefined ? undefined : (JSON.parse(json) as BuiltSupergraph);
  if (built?.hash !== supergraphHash(sdl)) return readSupergraph(sdl);
  const { schema, outline, plans } = built;
  let loaded: Supergraph | undefined;
  const planner = () => (loaded ??= readSupergraph(sdl));
  return {
    // Printed from a valid schema.
    schema: buildSchema(schema, { assumeValid: true, noLocation: true }),
    outline: {
      objectTypes: new Set(outline.objectTypes),
      interfaces: new Set(outline.interfaces),
      subtypes: new Map(Object.entries(outline.subtypes).map(([name, types]) => [name, new Set(types)])),
      fieldNames: new Set(outline.fieldNames),
      costs: new Map(Object.entries(outline.costs)),
    },
    plan: (document) => plans[planKey(document)] ?? planner().plan(document),
    restoreOperation: (operation) => (hasRequiredNames(operation) ? planner().restoreOperation(operation) : operation),
  };
}

/** Builds the plans of all operations. @param planAll plans them with the given supergraph */
export function buildSupergraph(sdl: string, planAll: (supergraph: Supergraph) => void): BuiltSupergraph {
  const supergraph = readSupergraph(sdl);
  const plans: Record<string, PlanNode | SubscriptionNode> = {};
  planAll({ ...supergraph, plan: (document) => (plans[planKey(document)] = supergraph.plan(document)) });
  const { objectTypes, interfaces, subtypes, fieldNames, costs } = supergraph.outline;
  return {
    hash: supergraphHash(sdl),
    schema: printSchema(supergraph.schema),
    outline: {
      objectTypes: [...objectTypes],
      interfaces: [...interfaces],
      subtypes: Object.fromEntries([...subtypes].map(([name, types]) => [name, [...types]])),
      fieldNames: [...fieldNames],
      costs: Object.fromEntries(costs),
    },
    plans,
  };
}

/** Identifies the SDL of a supergraph. */
export function supergraphHash(sdl: string): string {
  return createHash('sha256').update(sdl).digest('base64url');
}

/** Identifies the normalized document that is planned. */
function planKey(document: DocumentNode): string {
  return createHash('sha256').update(print(document)).digest('base64url');
}
