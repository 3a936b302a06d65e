import { assertValidSchema, type GraphQLSchema } from 'graphql';
import { METRICS } from '../../kernel/telemetry/metrics.js';
import type { Engine } from '../engine/engine.js';
import { Broadcasts } from './fan-out/broadcast.js';
import { Documents } from './documents/documents.js';
import { PersistedDocuments } from './documents/persisted-documents.js';
import { PlanCache } from './documents/plan-cache.js';
import { documentReader } from './documents/read-document.js';
import { limitValues } from './limits/limits.js';

/** An engine, the operations that it has planned, and the subscriptions that it executes. */
export interface Graph {
  readonly engine: Engine;
  readonly plans: PlanCache;
  readonly documents: Documents;
  readonly broadcasts: Broadcasts;
}

interface GraphOptions {
  /** Whether documents have limits; false for foreign subgraphs. */
  readonly isLimited: boolean;
  /** The only documents that are executed; undefined: all. */
  readonly trustedDocuments?: ReadonlyMap<string, string> | undefined;
}

/** Returns the graph of an engine. @throws StartError for a trusted document that is invalid */
export function graphOf(engine: Engine, { isLimited, trustedDocuments }: GraphOptions): Graph {
  const read = documentReader(engine.schema, { isLimited });
  const plans = new PlanCache(engine, () => performance.now(), new PersistedDocuments(trustedDocuments, read), {
    limitOf: isLimited ? limitValues(engine.schema) : undefined,
  });
  return { engine, plans, documents: new Documents(plans, read), broadcasts: new Broadcasts(engine, !isLimited) };
}

/** The graph of new requests, which can be replaced. A running request ends on the graph on which it began. */
export class CurrentGraph {
  private readonly graphs = new WeakMap<GraphQLSchema, Graph>();
  private readonly listeners: ((schema: GraphQLSchema) => void)[] = [];

  constructor(private graph: Graph) {
    this.graphs.set(graph.engine.schema, graph);
    // Not one observer for each graph: it would keep an earlier graph in memory.
    METRICS.observe(() => this.graph.plans.samples());
  }

  get(): Graph {
    return this.graph;
  }

  /** Returns the graph with this schema. */
  of(schema: GraphQLSchema): Graph {
    return this.graphs.get(schema) ?? this.graph;
  }

  /** Calls the listener with the current schema and with each later one. */
  onSchema(listener: (schema: GraphQLSchema) => void): void {
    this.listeners.push(listener);
    listener(this.graph.engine.schema);
  }

  /** Uses another graph from now on; the plans of the earlier one are freed after its last request. @throws when the schema is invalid */
  replace(graph: Graph): void {
    assertValidSchema(graph.engine.schema);
    this.graphs.set(graph.engine.schema, graph);
    this.graph = graph;
    for (const listener of this.listeners) listener(graph.engine.schema);
  }
}
