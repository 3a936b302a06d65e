import {
  executeSync,
  Kind,
  OperationTypeNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { operationFromDocument, type Schema } from '@apollo/federation-internals';
import type { QueryPlanner } from '@apollo/query-planner';
import type { Aliases } from './operation/aliases.js';
import { isIntrospection, type SelectedOperation } from './operation/documents.js';
import { compileEvents, type EventSource } from './fetch/events.js';
import type { Data, Variables } from './execution.js';
import type { Step, StepContext } from './fetch/fetch.js';
import { Normalizer } from './operation/normalization.js';
import type { Project } from './projection/object-projection.js';
import { ProjectionCompiler } from './projection/projection.js';
import { compileNode, inSequence } from './fetch/steps.js';

/** An operation whose conditions are decided, ready to be executed. */
export interface CompiledOperation {
  /** Fetches everything; for a subscription: how events come and are completed. */
  readonly plan: { readonly run: Step } | { readonly events: EventSource };
  /** Gives the merged data the shape of the response. */
  readonly project: Project;
  /** Answers the root fields of the schema itself. */
  readonly introspect: (variables: Variables) => Data;
}

interface CompilerParts {
  readonly schema: GraphQLSchema;
  readonly apiSchema: Schema;
  readonly planner: QueryPlanner;
  readonly aliases: Aliases;
  readonly steps: StepContext;
}

/** Plans operations and compiles the plans. */
export class OperationCompiler {
  private readonly schema: GraphQLSchema;

  constructor(private readonly parts: CompilerParts) {
    this.schema = parts.schema;
  }

  /** @param values decide the conditions */
  compile(selected: SelectedOperation, values: Variables): CompiledOperation {
    const { operation, fragments } = selected;
    const type = this.rootType(operation.operation);
    const normalizer = new Normalizer(this.schema, this.parts.aliases, fragments, values);
    const fields = normalizer.fields(type, [operation.selectionSet]);
    const projection = new ProjectionCompiler(this.schema);
    return {
      plan: this.plan(operation, fields.filter(isPlanned)),
      project: projection.compile(type, [{ kind: Kind.SELECTION_SET, selections: fields }]),
      introspect: (variables) => this.introspect(selected, fields.filter(isIntrospection), variables),
    };
  }

  /** The fields of a mutation are planned one by one: the planner could change their order. */
  private plan(operation: Operation, fields: readonly FieldNode[]): CompiledOperation['plan'] {
    if (operation.operation === OperationTypeNode.MUTATION)
      return { run: inSequence(fields.map((field) => this.step(this.nodeOf(operation, [field])))) };
    const node = fields.length > 0 ? this.nodeOf(operation, fields) : undefined;
    if (!node) return { run: async () => undefined };
    return node.kind === 'Subscription' ? { events: compileEvents(node, this.parts.steps) } : { run: this.step(node) };
  }

  private step(node: ReturnType<OperationCompiler['nodeOf']>): Step {
    if (node.kind === 'Subscription') throw new Error('only a subscription has events');
    return compileNode(node, this.parts.steps);
  }

  private nodeOf(operation: Operation, selections: readonly FieldNode[]) {
    const planned = { ...operation, directives: [], selectionSet: { kind: Kind.SELECTION_SET, selections } } as const;
    const document = { kind: Kind.DOCUMENT, definitions: [planned] } as const;
    const { node } = this.parts.planner.buildQueryPlan(operationFromDocument(this.parts.apiSchema, document));
    if (!node) throw new Error('no subgraph can resolve the selected fields');
    return node;
  }

  private introspect(
    { operation, fragments }: SelectedOperation,
    selections: readonly FieldNode[],
    variables: Variables,
  ): Data {
    const asked = { ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections } } as const;
    const document = { kind: Kind.DOCUMENT, definitions: [asked, ...fragments.values()] } as const;
    return executeSync({ schema: this.schema, document, variableValues: variables }).data ?? {};
  }

  private rootType(kind: OperationTypeNode): GraphQLObjectType {
    const type = this.schema.getRootType(kind);
    if (!type) throw new Error(`the schema has no ${kind}`);
    return type;
  }
}

type Operation = SelectedOperation['operation'];

/** Whether a subgraph answers the field. */
function isPlanned({ name }: FieldNode): boolean {
  return !name.value.startsWith('__');
}
