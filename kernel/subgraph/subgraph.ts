import { buildSubgraphSchema } from '@apollo/subgraph';
import { getDocumentNodeFromSchema, printSchemaWithDirectives } from '@graphql-tools/utils';
import {
  isAbstractType,
  Kind,
  lexicographicSortSchema,
  parse,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import { buildSchemaSync, createResolversMap, type NonEmptyArray, type PubSub } from 'type-graphql';
import type { z } from 'zod';
import type { ByteAnswer } from '../http/bytes.js';
import type { Config, SubgraphName } from '../config/config.js';
import type { Database } from '../database/database.js';
import type { Context, Runtime } from './context.js';
import type { JobDefinition } from '../jobs/jobs.js';
import type { ExternalObjects } from './external-objects.js';
import type { StoredSecrets } from '../security/stored-secrets.js';
import { audited, type MutationResolver } from '../audit/audited.js';
import { DateTime } from '../scalars/scalars.js';
import type { Sample } from '../telemetry/metrics.js';

type ResolverClass = new () => object;

/** Resolves an entity reference of another subgraph; it must authorize the viewer like any resolver. */
export type ReferenceResolver = (key: Record<string, unknown>, context: Context, info: GraphQLResolveInfo) => unknown;

/** Opens a download; it must authorize the viewer like any resolver. The parameters come from the client and are not validated. */
export type ByteEndpoint = (parameters: Readonly<Record<string, unknown>>, context: Context) => Promise<ByteAnswer>;

/** The definition of a subgraph. The platform builds the subgraph from it and from its folder of migrations. */
export interface SubgraphManifest<Own = unknown> {
  readonly name: SubgraphName;
  /** The schema of its environment variables. */
  readonly config: z.ZodType<Own>;
  readonly resolvers: NonEmptyArray<ResolverClass>;
  /** GraphQL types that no resolver returns, e.g. entities of other subgraphs that this one extends. */
  readonly types: readonly (new () => object)[];
  readonly references: Readonly<Record<string, ReferenceResolver>>;
  /** Mutations that the audit log leaves out. */
  readonly unaudited: readonly string[];
  /** Downloads by name. */
  readonly bytes?: Readonly<Record<string, ByteEndpoint>>;
  /** Opens the services of resolvers and jobs: clients, keys, pages. */
  open?(settings: SubgraphSettings<Own>): Promise<unknown>;
  /** Closes the services, after the last resolver and job. */
  readonly close?: (services: unknown) => Promise<void>;
  /** Health checks of dependencies other than the database, by their name for the operator. A check must end within a few seconds. */
  readonly checks?: Readonly<Record<string, (services: unknown) => Promise<void>>>;
  /** Runs at every start, after the migrations; must be idempotent. */
  prepare?(runtime: Runtime, settings: SubgraphSettings<Own>): Promise<void>;
  /** Its jobs, without those that these settings do not need. */
  jobs?(settings: SubgraphSettings<Own>): readonly JobDefinition<Runtime>[];
  /** Reads its gauges for /metrics. All label values come from the code. */
  readonly gauges?: (database: Database, now: Date) => Promise<readonly Sample[]>;
  /** Validates the settings, and the resources that they name, before the start. Returns one line for the operator. @throws ConfigError with such a line */
  findFault?(own: Own, shared: Config): Promise<string | undefined> | string | undefined;
  /** Returns a one-line warning for the operator if these settings are risky for a process that listens on this host. */
  findWarning?(own: Own, host: string): string | undefined;
  /** Its objects outside the database, for backups. */
  readonly objects?: ExternalObjects<Own>;
  /** Checks the rows of a restored database. Returns one line for the operator if they contradict each other. */
  readonly prove?: (database: Database) => Promise<string | undefined>;
  /** Its columns that are encrypted under DATA_KEY, for the rotation of the key. */
  readonly secrets?: readonly StoredSecrets[];
  /** Features that clients can look up at /health. */
  readonly capabilities?: readonly string[];
  /** Whether the gateway serves the sandbox of the payment processor. */
  hasSandbox?(own: Own): boolean;
}

/** The API token of the first superuser. */
export interface AdminToken {
  /** SHA-256, lower-case hex. */
  readonly hash: string;
  /** Whether the operator chose it, so that it replaces earlier ones. */
  readonly replacesOthers: boolean;
}

/** The settings of the operator. */
export interface SubgraphSettings<Own = unknown> {
  /** Only for the accounts subgraph. */
  readonly adminToken: AdminToken | undefined;
  readonly config: Config;
  /** The settings that only this subgraph reads. */
  readonly own: Own;
  /** The address that clients see, without a trailing slash. */
  readonly publicUrl: string;
}

/** Federation 2.9 and the directives our subgraphs use. */
const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires", "@shareable", "@inaccessible", "@cost", "@listSize"])\n\n';

/** Returns the subgraph's SDL, sorted, so that equal schemas have equal text. */
export function subgraphSdl(manifest: SubgraphManifest): string {
  return LINK + printSchemaWithDirectives(lexicographicSortSchema(classSchema(manifest))) + '\n';
}

/** Returns the executable federation schema of the subgraph. */
export function subgraphSchema(manifest: SubgraphManifest): GraphQLSchema {
  const schema = classSchema(manifest);
  const resolvers = createResolversMap(schema);
  // type-graphql resolves these types asynchronously, graphql-jit cannot; without it the value names its type.
  for (const { name } of Object.values(schema.getTypeMap()).filter(isAbstractType))
    Object.assign(resolvers[name] ?? {}, { __resolveType: undefined });
  for (const [type, resolve] of Object.entries(manifest.references)) {
    resolvers[type] = Object.assign(resolvers[type] ?? {}, { __resolveReference: resolve });
  }
  const mutations = Object.entries((resolvers.Mutation ?? {}) as Record<string, MutationResolver>);
  resolvers.Mutation = Object.fromEntries(
    mutations.map(([name, resolve]) => [name, manifest.unaudited.includes(name) ? resolve : audited(name, resolve)]),
  );
  const definitions = [...parse(LINK).definitions, ...getDocumentNodeFromSchema(schema).definitions];
  return buildSubgraphSchema([{ typeDefs: { kind: Kind.DOCUMENT, definitions }, resolvers }] as never);
}

function classSchema(manifest: SubgraphManifest): GraphQLSchema {
  return buildSchemaSync({
    resolvers: manifest.resolvers,
    orphanedTypes: [...manifest.types],
    scalarsMap: [{ type: Date, scalar: DateTime }],
    validate: false,
    skipCheck: true,
    pubSub: NO_PUB_SUB,
  });
}

/** type-graphql requires a PubSub; our subscriptions return their own streams, bounded per subscriber. */
const NO_PUB_SUB: PubSub = {
  publish: () => undefined,
  subscribe: (topic) => {
    throw new Error(`a subscription names the topic ${topic} instead of its own stream`);
  },
};
