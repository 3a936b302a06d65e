import { buildSubgraphSchema } from '@apollo/subgraph';
import { printSchemaWithDirectives } from '@graphql-tools/utils';
import { lexicographicSortSchema, parse, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql';
import { buildSchemaSync, createResolversMap, type NonEmptyArray, type PubSub } from 'type-graphql';
import type { z } from 'zod';
import type { ByteAnswer } from '../http/bytes.js';
import type { Config, SubgraphName } from '../config/config.js';
import type { Context, Runtime } from './context.js';
import type { JobDefinition } from '../jobs/jobs.js';
import { DateTime } from '../scalars.js';

type ResolverClass = new () => object;

/** Finds an entity that another subgraph named by its key; must authorise the viewer like any other door. */
export type ReferenceResolver = (key: Record<string, unknown>, context: Context, info: GraphQLResolveInfo) => unknown;

/** Gives bytes to read; must authorise the viewer like any other door. The parameters come from the outside, unchecked. */
export type ByteEndpoint = (parameters: Readonly<Record<string, unknown>>, context: Context) => Promise<ByteAnswer>;

/** All there is to know of a subgraph with these settings: the platform assembles it from this and its folder of migrations. */
export interface SubgraphManifest<Own = unknown> {
  readonly name: SubgraphName;
  /** Its environment variables. */
  readonly config: z.ZodType<Own>;
  readonly resolvers: NonEmptyArray<ResolverClass>;
  /** GraphQL types that no resolver returns, e.g. entities of other subgraphs that this one extends. */
  readonly types: readonly (new () => object)[];
  readonly references: Readonly<Record<string, ReferenceResolver>>;
  /** What is given as bytes instead of JSON, by name. */
  readonly bytes?: Readonly<Record<string, ByteEndpoint>>;
  /** Makes what resolvers and jobs use of the outside: clients, keys, pages. */
  open?(settings: SubgraphSettings<Own>): Promise<unknown>;
  /** Closes what `open` made, when no resolver and no job uses it any more. */
  readonly close?: (services: unknown) => Promise<void>;
  /** What it needs to serve beside its database, in the operator's words: each fails while that does not work, within a few seconds. */
  readonly checks?: Readonly<Record<string, (services: unknown) => Promise<void>>>;
  /** Runs at every start, after the migrations; safe to repeat. */
  prepare?(runtime: Runtime, settings: SubgraphSettings<Own>): Promise<void>;
  /** Its jobs, without those that never have work under these settings. */
  jobs?(settings: SubgraphSettings<Own>): readonly JobDefinition<Runtime>[];
  /** Finds a fault before a start makes anything: of its settings, or of what they name. One line for the operator. @throws ConfigError, which says the same */
  findFault?(own: Own, shared: Config): Promise<string | undefined> | string | undefined;
  /** What the operator should know of its settings where it runs in a process that listens on this host, as one line. */
  findWarning?(own: Own, host: string): string | undefined;
  /** Whether the gateway serves its sandbox of the payment processor. */
  hasSandbox?(own: Own): boolean;
}

/** The API token of the first superuser. */
export interface AdminToken {
  /** SHA-256, lower-case hex. */
  readonly hash: string;
  /** Whether the operator chose it, so that it takes the place of any before it. */
  readonly replacesOthers: boolean;
}

/** What the operator decided. */
export interface SubgraphSettings<Own = unknown> {
  /** For accounts only. */
  readonly adminToken: AdminToken | undefined;
  readonly config: Config;
  /** The settings that only this subgraph reads. */
  readonly own: Own;
  /** The address clients see, without a trailing slash. */
  readonly publicUrl: string;
}

/** Federation 2.9 and the directives our subgraphs use. */
const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires", "@shareable", "@inaccessible"])\n\n';

/** The subgraph's SDL, sorted, so that equal schemas are equal text. */
export function subgraphSdl(manifest: SubgraphManifest): string {
  return LINK + printSchemaWithDirectives(lexicographicSortSchema(classSchema(manifest))) + '\n';
}

/** The executable federation schema of the subgraph. */
export function subgraphSchema(manifest: SubgraphManifest): GraphQLSchema {
  const schema = classSchema(manifest);
  const resolvers = createResolversMap(schema);
  for (const [type, resolve] of Object.entries(manifest.references)) {
    resolvers[type] = Object.assign(resolvers[type] ?? {}, { __resolveReference: resolve });
  }
  return buildSubgraphSchema([{ typeDefs: parse(LINK + printSchemaWithDirectives(schema)), resolvers }] as never);
}

function classSchema(manifest: SubgraphManifest): GraphQLSchema {
  return buildSchemaSync({
    resolvers: manifest.resolvers,
    orphanedTypes: [...manifest.types],
    scalarsMap: [{ type: Date, scalar: DateTime }],
    validate: false,
    skipCheck: true,
    pubSub: NO_TOPICS,
  });
}

/** type-graphql insists on one; our subscriptions bring their own streams, bounded per subscriber. */
const NO_TOPICS: PubSub = {
  publish: () => undefined,
  subscribe: (topic) => {
    throw new Error(`a subscription names the topic ${topic} instead of its own stream`);
  },
};
