import {
  executeSync,
  Kind,
  OperationTypeNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type SelectionNode,
} from 'graphql';
import { Aliases } from './operation/aliases.js';
import { Deferral, type DeferredFragment } from './operation/deferral.js';
import { isIntrospection, type SelectedOperation } from './operation/documents.js';
import { compileEvents, type CompiledSubscription } from './fetch/events.js';
import type { Data, Variables } from './execution.js';
import type { Step, StepContext } from './fetch/fetch.js';
import { Normalizer } from './operation/normalization.js';
import { withOwnVariables } from './operation/variables.js';
import type { Project } from './projection/completion.js';
import { ProjectionCompiler } from './projection/projection.js';
import { compileNode, inSequence } from './fetch/steps.js';
import type { Supergraph } from './supergraph/supergraph.js';

/** An operation whose conditions are decided, ready to be executed. */
export interface CompiledOperation {
  /** Fetches everything; for a subscription: how events come and are completed. */
  readonly plan: { readonly run: Step } | { readonly events: CompiledSubscription };
  /** Gives the merged data the shape of the response. */
  readonly project: Project;
  /** Answers the root fields of the schema itself. */
  readonly introspect: (variables: Variables) => Data;
  readonly selections: readonly SelectionNode[];
  /** How many selections there are, on all levels. */
  readonly selectionCount: number;
  /** The deferred fragments by id. */
  readonly fragments: readonly DeferredFragment[];
}

interface CompilerParts {
  readonly supergraph: Supergraph;
  /** @throws when the subgraph has no client */
  readonly clientOf: StepContext['clientOf'];
}

/** Plans operations and compiles the plans. */
export class OperationCompiler {
  private readonly schema: GraphQLSchema;
  private readonly aliases: Aliases;
  private readonly steps: StepContext;
  private readonly planDocument: Supergraph['plan'];

  constructor({ supergraph, clientOf }: CompilerParts) {
    const { schema, outline, plan, restoreOperation } = supergraph;
    this.schema = schema;
    this.aliases = new Aliases(outline.fieldNames);
    this.steps = { outline, clientOf, restoreOperation };
    this.planDocument = plan;
  }

  /** @param values decide the conditions @param isDeferring whether fragments may be answered after the rest */
  compile(selected: SelectedOperation, values: Variables, isDeferring: boolean): CompiledOperation {
    if (!isDeferring) return this.compileWith(selected, values);
    try {
      return this.compileWith(selected, values, new Deferral(values));
    } catch {
      // The planner fails at some deferred fields with `@requires`. A server may ignore the directive.
      return this.compileWith(selected, values);
    }
  }

  private compileWith(selected: SelectedOperation, values: Variables, deferral?: Deferral): CompiledOperation {
    const { operation, fragments } = selected;
    const isMutation = operation.operation === OperationTypeNode.MUTATION;
    const steps = isMutation ? this.steps : { ...this.steps, timesSent: new Map<string, number>() };
    const type = this.rootType(operation.operation);
    const normalizer = new Normalizer(this.schema, this.aliases, fragments, { values, deferral });
    const selections = normalizer.fields(type, [operation.selectionSet]);
    const projection = new ProjectionCompiler(this.schema);
    return {
      plan: this.plan(operation, selections.flatMap(ofSubgraphs), steps),
      project: projection.compile(type, [{ kind: Kind.SELECTION_SET, selections }]),
      introspect: (variables) => this.introspect(selected, selections.flatMap(ofSchema), variables),
      selections,
      selectionCount: countOf(selections),
      fragments: deferral?.fragments ?? [],
    };
  }

  /** The fields of a mutation are planned one by one: the planner could change their order. */
  private plan(operation: Operation, fields: readonly SelectionNode[], steps: StepContext): CompiledOperation['plan'] {
    if (operation.operation === OperationTypeNode.MUTATION)
      return { run: inSequence(fields.map((field) => stepOf(this.nodeOf(operation, [field]), steps))) };
    const node = fields.length > 0 ? this.nodeOf(operation, fields) : undefined;
    if (!node) return { run: async () => undefined };
    return node.kind === 'Subscription' ? { events: compileEvents(node, steps) } : { run: stepOf(node, steps) };
  }

  private nodeOf(operation: Operation, selections: readonly SelectionNode[]) {
    const planned = { ...operation, directives: [], selectionSet: { kind: Kind.SELECTION_SET, selections } } as const;
    const document = { kind: Kind.DOCUMENT, definitions: [planned] } as const;
    return this.planDocument(withOwnVariables(document));
  }

  private introspect(
    { operation, fragments }: SelectedOperation,
    selections: readonly FieldNode[],
    variables: Variables,
  ): Data {
    const requested = { ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections } } as const;
    const document = { kind: Kind.DOCUMENT, definitions: [requested, ...fragments.values()] } as const;
    return executeSync({ schema: this.schema, document, variableValues: variables }).data ?? {};
  }

  private rootType(kind: OperationTypeNode): GraphQLObjectType {
    const type = this.schema.getRootType(kind);
    if (!type) throw new Error(`the schema has no ${kind}`);
    return type;
  }
}

type Operation = SelectedOperation['operation'];

function stepOf(node: ReturnType<OperationCompiler['nodeOf']>, steps: StepContext): Step {
  if (node.kind === 'Subscription') throw new Error('only a subscription has events');
  return compileNode(node, steps);
}

function countOf(selections: readonly SelectionNode[]): number {
  return selections.reduce(
    (sum, one) => sum + 1 + ('selectionSet' in one ? countOf(one.selectionSet?.selections ?? []) : 0),
    0,
  );
}

/** Returns what subgraphs answer of a root field or a deferred fragment. */
function ofSubgraphs(selection: SelectionNode): SelectionNode[] {
  if (selection.kind === Kind.FIELD) return selection.name.value.startsWith('__') ? [] : [selection];
  if (selection.kind === Kind.FRAGMENT_SPREAD) return [];
  const selections = selection.selectionSet.selections.flatMap(ofSubgraphs);
  return selections.length > 0 ? [{ ...selection, selectionSet: { kind: Kind.SELECTION_SET, selections } }] : [];
}

/** Returns the root fields that graphql-js answers, those of deferred fragments too. */
function ofSchema(selection: SelectionNode): FieldNode[] {
  if (selection.kind === Kind.FIELD) return isIntrospection(selection) ? [selection] : [];
  return selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet.selections.flatMap(ofSchema) : [];
}
