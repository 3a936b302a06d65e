import {
  Kind,
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { FOLDER_ROUTES, PLATFORM_ROUTES, SITE_ROUTES } from '../contract.js';
import { headerParameter, requestOf } from './requests.js';
import { downloadDescription, downloadResponses } from './downloads.js';
import { FOLDER_SCHEMAS, PLATFORM_SCHEMAS, responsesOf, rootField, type DialectSchemas } from './responses.js';
import { Examples } from './examples.js';
import { Shapes, type JsonSchema } from './shapes.js';
import { operationsOf, type Download, type Route } from '../route.js';

const DESCRIPTION =
  'Accounts, credits, machines, private networks and encrypted folders. Folder-sync paths wrap every JSON answer in ' +
  '`{Success}` or `{Error}`; all others answer refusals as `{error}`. Each path below `/api` answers with and without ' +
  'its last slash. All of this is served by the GraphQL API at `/graphql`, which also has live views.';

const SECURITY_SCHEMES = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`Token <API token>`, with the prefix `Token`; services may send `ServiceToken <token>`.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API token or an access token.' },
} as const;

/** Version of the API, which clients see in the document. */
const VERSION = 'v1';

const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' } as const;

const TAGS: Readonly<Record<string, string>> = {
  auth: 'Sign-in with a wallet or a social account, and API tokens.',
  billing: 'Credits, payments, subscriptions and usage.',
  infrastructure: 'Virtual machines and certificates of the overlay network.',
  models: 'The index of the models in a registry.',
  objectstore: 'Access to buckets.',
  network: 'Private networks: groups, peers, policies, resources, routers.',
  notifications: 'Notification preferences.',
  site: 'Paths of neither the platform nor the folder-sync API: social sign-in, public keys, the script that joins a machine to a network.',
  'folder-sync': 'Encrypted folders: uploads, downloads, search.',
};

const SIGNED_IN = Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] }));

interface OpenApiSource {
  readonly schema: GraphQLSchema;
  /** The operations that serve the routes. */
  readonly operations: DocumentNode;
  readonly publicUrl: string;
}

interface Section {
  readonly prefix: string;
  readonly routes: readonly Route[];
  readonly dialect: DialectSchemas;
  readonly tagOf: (route: Route) => string;
}

const SECTIONS: readonly Section[] = [
  { prefix: '/api', routes: PLATFORM_ROUTES, dialect: PLATFORM_SCHEMAS, tagOf: ({ path }) => path.split('/')[1] ?? '' },
  { prefix: '', routes: SITE_ROUTES, dialect: PLATFORM_SCHEMAS, tagOf: () => 'site' },
  { prefix: '', routes: FOLDER_ROUTES, dialect: FOLDER_SCHEMAS, tagOf: () => 'folder-sync' },
];

/** Writes the OpenAPI 3.1 document of all routes, from the route table, the operations and the SDL. */
export function openApiDocument({ schema, operations, publicUrl }: OpenApiSource): object {
  const { definitions } = operations;
  const shapes = new Shapes(schema, byName(definitions, isFragment));
  const writer = new RouteWriter({ schema, shapes }, byName(definitions, isOperation));
  const paths: Record<string, Record<string, object>> = {};
  const tags = new Set<string>();
  const examples = new Examples(shapes.components);
  for (const { prefix, routes, dialect, tagOf } of SECTIONS) {
    for (const route of routes) {
      const tag = tagOf(route);
      tags.add(tag);
      const path = (paths[prefix + route.path] ??= {});
      const operation = writer.write(route, dialect);
      path[route.method.toLowerCase()] = {
        tags: [tag],
        ...withExamples(operation, examples.forOperation(operation.operationId)),
      };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Archipelago', version: VERSION, description: DESCRIPTION, license: LICENSE },
    servers: [{ url: publicUrl }],
    security: SIGNED_IN,
    tags: [...tags].map((name) => ({ name, description: TAGS[name] ?? '' })),
    paths,
    components: { securitySchemes: SECURITY_SCHEMES, schemas: sorted(shapes.components) },
  };
}

/** Adds an example to each schema of a parameter or a body. */
function withExamples(part: object, examples: Examples): object {
  const { schema, name = '' } = part as { readonly schema?: JsonSchema; readonly name?: string };
  if (schema !== undefined) return { ...part, example: examples.valueFor(schema, name) };
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside);
    return typeof value === 'object' && value !== null ? withExamples(value, examples) : value;
  };
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inside(value)]));
}

/** The security of a route, if it differs from the default. */
function securityOf({ access }: Route): { readonly security?: readonly object[] } {
  if (access === 'public') return { security: [] };
  return access === 'optional token' ? { security: [{}, ...SIGNED_IN] } : {};
}

interface DescribedOperation {
  readonly operationId: string;
  readonly [field: string]: unknown;
}

class RouteWriter {
  private readonly timesUsed = new Map<string, number>();

  constructor(
    private readonly source: { readonly schema: GraphQLSchema; readonly shapes: Shapes },
    private readonly operations: ReadonlyMap<string, OperationDefinitionNode>,
  ) {}

  write(route: Route, dialect: DialectSchemas): DescribedOperation {
    if (route.download) return this.download(route, route.download, dialect);
    const names = operationsOf(route);
    const operations = names.map((name) => this.operation(name));
    const paragraphs = operations.map(
      (operation) => rootField(this.source.schema, operation).definition.description ?? '',
    );
    const description = [...new Set(paragraphs)].join('\n\n');
    const request = requestOf(this.source, route, operations);
    return {
      operationId: this.operationId(names[0] ?? ''),
      summary: firstSentence(description),
      description,
      ...securityOf(route),
      ...request,
      ...(route.etag && {
        parameters: [...(request.parameters ?? []), headerParameter('if-none-match', { isRequired: false })],
      }),
      responses: responsesOf(this.source, { route, dialect, operations, hasBody: request.requestBody !== undefined }),
    };
  }

  private download(route: Route, download: Download, dialect: DialectSchemas): DescribedOperation {
    const { name, query = {}, isText } = download;
    const description = downloadDescription(download);
    const optional = { required: false, schema: { type: 'string' } };
    const range = { name: 'Range', in: 'header', ...optional };
    const fields = Object.entries(query).map(([field, text]) => ({
      name: field,
      in: 'query',
      ...optional,
      description: text,
    }));
    const parameters = [...(requestOf(this.source, route, []).parameters ?? []), ...fields, ...(isText ? [] : [range])];
    return {
      operationId: this.operationId(`${name.charAt(0).toUpperCase()}${name.slice(1)}`),
      summary: firstSentence(description),
      description,
      ...securityOf(route),
      ...(parameters.length > 0 && { parameters }),
      responses: downloadResponses(this.source.shapes, route, dialect),
    };
  }

  private operation(name: string): OperationDefinitionNode {
    const operation = this.operations.get(name);
    if (!operation) throw new Error(`a route names the operation ${name}, which does not exist`);
    return operation;
  }

  /** The name of the operation, with a number from its second route on: ids must be unique. */
  private operationId(name: string): string {
    const times = (this.timesUsed.get(name) ?? 0) + 1;
    this.timesUsed.set(name, times);
    return times === 1 ? name : `${name}${times}`;
  }
}

function byName<Definition extends OperationDefinitionNode | FragmentDefinitionNode>(
  definitions: readonly DefinitionNode[],
  is: (definition: DefinitionNode) => definition is Definition,
): Map<string, Definition> {
  return new Map(definitions.filter(is).map((definition) => [definition.name?.value ?? '', definition]));
}

function isOperation(definition: DefinitionNode): definition is OperationDefinitionNode {
  return definition.kind === Kind.OPERATION_DEFINITION;
}

function isFragment(definition: DefinitionNode): definition is FragmentDefinitionNode {
  return definition.kind === Kind.FRAGMENT_DEFINITION;
}

function firstSentence(text: string): string {
  return /^.*?(?=[.;](?:\s|$))/s.exec(text)?.[0] ?? text;
}

function sorted<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
