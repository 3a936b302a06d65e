import type { PlanNode, SubscriptionNode } from '@apollo/query-planner';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { FieldCost } from '../field-costs.js';

/** A supergraph as the engine uses it. */
export interface Supergraph {
  /** What clients see. */
  readonly schema: GraphQLSchema;
  readonly outline: Outline;
  /** Plans the one operation of a document. @throws when the planner cannot */
  readonly plan: (document: DocumentNode) => PlanNode | SubscriptionNode;
  /** Returns the operation of a fetch as the subgraph gets it. */
  readonly restoreOperation: (operation: string) => string;
}

/** What executing plans needs to know of the supergraph, with the types and fields that clients do not see. */
export interface Outline {
  readonly objectTypes: ReadonlySet<string>;
  readonly interfaces: ReadonlySet<string>;
  /** The object types and interfaces of each interface and union. */
  readonly subtypes: ReadonlyMap<string, ReadonlySet<string>>;
  readonly fieldNames: ReadonlySet<string>;
  /** By `Type.field`. */
  readonly costs: ReadonlyMap<string, FieldCost>;
}

/** A supergraph that was read as a whole. */
export interface WholeSupergraph extends Supergraph {
  readonly subgraphs: readonly { readonly name: string; readonly url: string }[];
}
