import { executeSync, Kind, valueFromASTUntyped, type GraphQLObjectType, type GraphQLSchema } from 'graphql';
import { isIntrospection, type SelectedOperation } from './documents.js';
import type { EventSource } from './events.js';
import type { Data, Variables } from './execution.js';
import type { Step } from './fetch.js';
import { FieldCollector, type ResponseField } from './fields.js';
import type { Project } from './object-projection.js';
import { ProjectionCompiler } from './projection.js';

/** A validated, planned and compiled operation, which can be executed many times. */
export class PlannedOperation {
  readonly operation: SelectedOperation['operation'];
  /** The default values of variables. graphql-jit demands a value for `Boolean! = true`. */
  readonly defaults: Variables;
  /** Gives the merged data the shape of the response. */
  readonly project: Project;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly selected: SelectedOperation,
    /** Fetches everything; for a subscription: how events come and are completed. */
    readonly plan: { readonly run: Step } | { readonly events: EventSource },
  ) {
    this.operation = selected.operation;
    const withDefault = this.operation.variableDefinitions?.filter(({ defaultValue }) => defaultValue) ?? [];
    this.defaults = Object.fromEntries(
      withDefault.map(({ variable, defaultValue }) => [
        variable.name.value,
        defaultValue && valueFromASTUntyped(defaultValue),
      ]),
    );
    const compiler = new ProjectionCompiler(schema, selected.fragments);
    this.project = compiler.compile(this.rootType(), this.rootSelections());
  }

  /** Answers the root fields of the schema itself. */
  introspect(variables: Variables): Data {
    const { operation, fragments } = this.selected;
    const selections = this.rootFields().flatMap(({ nodes }) => nodes.filter(isIntrospection));
    const asked = { ...operation, selectionSet: { ...operation.selectionSet, selections } };
    const document = { kind: Kind.DOCUMENT, definitions: [asked, ...fragments.values()] } as const;
    return executeSync({ schema: this.schema, document, variableValues: variables }).data ?? {};
  }

  private rootFields(): ResponseField[] {
    return new FieldCollector(this.schema, this.selected.fragments).collect(this.rootType(), this.rootSelections());
  }

  private rootSelections() {
    return [{ set: this.operation.selectionSet, guard: '' }];
  }

  private rootType(): GraphQLObjectType {
    const type = this.schema.getRootType(this.operation.operation);
    if (!type) throw new Error(`the schema has no ${this.operation.operation}`);
    return type;
  }
}
