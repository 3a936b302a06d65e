import { executeSync, Kind, type GraphQLObjectType, type GraphQLSchema } from 'graphql';
import { isIntrospection, type SelectedOperation } from './documents.js';
import type { EventSource } from './events.js';
import type { Data, Variables } from './execution.js';
import type { Step } from './fetch.js';
import { FieldCollector, type ResponseField } from './fields.js';
import { OBJECTS, TEXT, type Format } from './format.js';
import type { Write } from './object-writer.js';
import { WriterCompiler } from './writer.js';

/** A validated, planned and compiled operation, which can be executed many times. */
export class PlannedOperation {
  readonly operation: SelectedOperation['operation'];
  private asObject: Write | undefined;
  private asText: Write | undefined;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly selected: SelectedOperation,
    /** Fetches everything; for a subscription: how events come and are completed. */
    readonly plan: { readonly run: Step } | { readonly events: EventSource },
  ) {
    this.operation = selected.operation;
  }

  /** Writes the response as an object. */
  get writeObject(): Write {
    return (this.asObject ??= this.compile(OBJECTS));
  }

  /** Writes the response as JSON. */
  get writeText(): Write {
    return (this.asText ??= this.compile(TEXT));
  }

  /** Answers the root fields of the schema itself. */
  introspect(variables: Variables): Data {
    const { operation, fragments } = this.selected;
    const selections = this.rootFields().flatMap(({ nodes }) => nodes.filter(isIntrospection));
    const asked = { ...operation, selectionSet: { ...operation.selectionSet, selections } };
    const document = { kind: Kind.DOCUMENT, definitions: [asked, ...fragments.values()] } as const;
    return executeSync({ schema: this.schema, document, variableValues: variables }).data ?? {};
  }

  private compile(format: Format): Write {
    const compiler = new WriterCompiler(this.schema, this.selected.fragments, format);
    return compiler.compile(this.rootType(), this.rootSelections());
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
