import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { ApolloGateway, LocalGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { addResolversToSchema, buildSubgraphSchema } from '@apollo/subgraph';
import { buildSchema, graphql, parse } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { createApp } from '../../gateway/app.js';
import { Engine } from '../../gateway/engine/engine.js';
import { readSupergraph } from '../../gateway/engine/supergraph/read-supergraph.js';
import { CurrentGraph, graphOf } from '../../gateway/graphql/current-graph.js';
import { addGraphQL } from '../../gateway/graphql/handler.js';
import type { Runtime } from '../../kernel/subgraph/context.js';
import { LocalSubgraph } from '../../kernel/subgraph/local-subgraph.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { MODULES, MONOLITH } from './domain.js';

/** Serves the domain. Arguments: the way, the file of the supergraph, the port. */
const [way = '', supergraphFile = '', port = ''] = process.argv.slice(2);
const listening = { host: '127.0.0.1', port: Number(port) };

/** The gateway of the platform with its subgraphs in this process. */
async function servePlatform(): Promise<void> {
  const log = openLog('warn', 'bench');
  // The resolvers of the domain use neither database nor events.
  const runtime = { log, now: () => new Date(), publicUrl: '' } as Runtime;
  const subgraphs = Object.entries(MODULES).map(
    ([name, module]) => [name, new LocalSubgraph(buildSubgraphSchema([module]), runtime)] as const,
  );
  const engine = new Engine(readSupergraph(await readFile(supergraphFile, 'utf8')), new Map(subgraphs));
  const app = await createApp(log);
  const graph = new CurrentGraph(graphOf(engine, { isLimited: false }));
  await addGraphQL(app, { graph, viewers: undefined, log });
  await app.listen(listening);
}

/** Apollo Server and Apollo Gateway with their default settings. @param inProcess else the subgraphs are behind HTTP */
async function serveApollo(inProcess: boolean): Promise<void> {
  const supergraphSdl = await readFile(supergraphFile, 'utf8');
  const gateway = new ApolloGateway({
    supergraphSdl,
    ...(inProcess && {
      buildService: ({ name }) => new LocalGraphQLDataSource(buildSubgraphSchema([MODULES[name] ?? NO_MODULE])),
    }),
  });
  await startStandaloneServer(new ApolloServer({ gateway, introspection: false }), { listen: listening });
}

const NO_MODULE = { typeDefs: parse('type Query { nothing: Int }') };

/** One schema without federation, compiled once for each text. */
function serveMonolith(): void {
  const schema = buildSchema(MONOLITH.typeDefs);
  addResolversToSchema(schema, MONOLITH.resolvers);
  const compiled = new Map<string, (variables: unknown) => unknown>();
  const compile = (query: string) => {
    const result = compileQuery(schema, parse(query));
    if (!isCompiledQuery(result)) throw new Error(JSON.stringify(result));
    const run = (variables: unknown) => result.query(undefined, {}, variables as Record<string, unknown>);
    compiled.set(query, run);
    return run;
  };
  serve(async (_, body) => {
    const { query, variables } = JSON.parse(body) as { readonly query: string; readonly variables?: unknown };
    return JSON.stringify(await (compiled.get(query) ?? compile(query))(variables));
  });
}

/** All subgraphs. Keeps the answers by request, so that they cost almost nothing. */
function serveSubgraphs(): void {
  const schemas = new Map(Object.entries(MODULES).map(([name, module]) => [`/${name}`, buildSubgraphSchema([module])]));
  const kept = new Map<string, string>();
  serve(async (path, body) => {
    const known = kept.get(path + body);
    if (known !== undefined) return known;
    const { query, variables } = JSON.parse(body) as { readonly query: string; readonly variables?: {} };
    const schema = schemas.get(path) ?? buildSchema('type Query { nothing: Int }');
    const answer = JSON.stringify(await graphql({ schema, source: query, variableValues: variables ?? {} }));
    kept.set(path + body, answer);
    return answer;
  });
}

function serve(answer: (path: string, body: string) => Promise<string>): void {
  const server = createServer((request, response) => {
    text(request)
      .then((body) => answer(request.url ?? '/', body))
      .then(
        (bytes) =>
          response
            .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) })
            .end(bytes),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  server.keepAliveTimeout = 60_000;
  server.listen(listening, () => process.stdout.write('ready\n'));
}

if (way === 'monolith') serveMonolith();
else if (way === 'subgraphs') serveSubgraphs();
else {
  await (way === 'platform' ? servePlatform() : serveApollo(way === 'apollo-local'));
  process.stdout.write('ready\n');
}
