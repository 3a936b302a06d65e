import type * as Internals from '@apollo/federation-internals';
import type { InterfaceType, Schema, Supergraph as FederationSupergraph } from '@apollo/federation-internals';
import type * as PlannerPackage from '@apollo/query-planner';
import { parse, type DocumentNode } from 'graphql';
import { createRequire } from 'node:module';
import { readCosts } from '../field-costs.js';
import { withTypes } from './join.js';
import { RequiredFields } from './required-fields.js';
import { separateFields } from './separate-fields.js';
import type { Outline, WholeSupergraph } from './supergraph.js';
import { isStub } from './virtual-subgraph.js';

const require = createRequire(import.meta.url);

/**
 * Reads a supergraph schema with Apollo's packages and makes its planner. The packages are not imported: a start that has a
 * built supergraph does not need them, and they take a tenth of its CPU time. @throws when the schema is invalid
 */
export function readSupergraph(sdl: string): WholeSupergraph {
  const { Supergraph, operationFromDocument } = require('@apollo/federation-internals') as typeof Internals;
  const { QueryPlanner } = require('@apollo/query-planner') as typeof PlannerPackage;
  const build = (source: string | DocumentNode) => Supergraph.build(source, { validateSupergraph: false });
  const document = parse(sdl, { noLocation: true });
  const required = new RequiredFields(document);
  const prepared = separateFields(withKeyOrder(required.document));
  const composed = build(sdl);
  const planned = prepared === document ? composed : build(prepared);
  // The planner may never end on deferred fragments of `@interfaceObject` types: a supergraph with one gets whole answers (decision 0002).
  const enableDefer = !composed.schema.interfaceTypes().some(isInterfaceObject);
  const planner = new QueryPlanner(planned, { incrementalDelivery: { enableDefer } });
  const apiSchema = composed.apiSchema();
  return {
    schema: apiSchema.toGraphQLJSSchema({ includeDefer: true }),
    outline: outlineOf(composed),
    subgraphs: composed.subgraphsMetadata().map(({ name, url }) => ({ name, url })),
    plan: (operation) => {
      const { node } = planner.buildQueryPlan(operationFromDocument(apiSchema, operation));
      if (!node) throw new Error('no subgraph can resolve the selected fields');
      return node;
    },
    restoreOperation: (operation) => required.restore(operation),
  };
}

/** The planner re-enters a subgraph by the first key of a type, also if the subgraph cannot be asked by it. */
function withKeyOrder(document: DocumentNode): DocumentNode {
  return withTypes(document, (type) => {
    const { directives = [] } = type;
    const stubs = directives.filter(isStub);
    return stubs.length > 0 ? { ...type, directives: [...directives.filter((one) => !isStub(one)), ...stubs] } : type;
  });
}

function outlineOf({ schema }: FederationSupergraph): Outline {
  const [objects, interfaces] = [schema.objectTypes(), schema.interfaceTypes()];
  return {
    objectTypes: namesOf(objects),
    interfaces: namesOf(interfaces),
    subtypes: subtypesOf(schema),
    fieldNames: new Set([...objects, ...interfaces].flatMap((type) => [...namesOf(type.fields())])),
    costs: readCosts(schema),
  };
}

function subtypesOf(schema: Schema): Outline['subtypes'] {
  return new Map([
    ...schema.interfaceTypes().map((type) => [type.name, namesOf(type.allImplementations())] as const),
    ...schema.unionTypes().map((type) => [type.name, namesOf(type.types())] as const),
  ]);
}

function namesOf(all: readonly { readonly name: string }[]): ReadonlySet<string> {
  return new Set(all.map(({ name }) => name));
}

function isInterfaceObject(type: InterfaceType): boolean {
  return type.appliedDirectivesOf('join__type').some((applied) => applied.arguments()['isInterfaceObject'] === true);
}
