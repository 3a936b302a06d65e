import 'reflect-metadata';
import { composeServices } from '@apollo/composition';
import { buildSubgraphSchema, type GraphQLSchemaModule } from '@apollo/subgraph';
import { graphql, parse, type ExecutionResult } from 'graphql';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { registerHooks } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { createApp } from '../../../gateway/app.js';
import { Engine } from '../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/read-supergraph.js';
import { CurrentGraph, graphOf } from '../../../gateway/graphql/current-graph.js';
import { addGraphQL } from '../../../gateway/graphql/handler.js';
import { withEntityBatches } from '../../../kernel/subgraph/remote/entity-batches.js';
import { RemoteSubgraphClient } from '../../../kernel/subgraph/remote/remote-subgraph.js';
import { openLog } from '../../../kernel/telemetry/log.js';

/** One subgraph of a suite, as `createSubgraph` of the audit takes it. */
interface AuditSubgraph {
  readonly name: string;
  readonly typeDefs: string;
  readonly resolvers: NonNullable<GraphQLSchemaModule['resolvers']>;
}

interface AuditCase {
  readonly query: string;
  /** `errors` undefined: errors do not matter. */
  readonly expected: { readonly data?: unknown; readonly errors?: boolean };
}

interface AuditSuite {
  readonly id: string;
  readonly subgraphs: readonly AuditSubgraph[];
  readonly cases: readonly AuditCase[] | (() => readonly AuditCase[]);
}

/** What suites import of the audit's own server, as modules that only keep what they are given. */
const MODULES: Readonly<Record<string, string>> = {
  'subgraph.js': 'export const createSubgraph = (name, { typeDefs, resolvers }) => ({ name, typeDefs, resolvers });',
  'supergraph.js': 'export const serve = (id, subgraphs, cases) => ({ id, subgraphs, cases });',
};

const USAGE = 'usage: npm run test:audit -- CHECKOUT, of https://github.com/graphql-hive/federation-gateway-audit\n';

const log = openLog('silent', 'audit');

/** Reads the suites of a checkout. Its packages need not be installed: those of this project are used. */
async function readSuites(folder: string): Promise<AuditSuite[]> {
  const checkout = pathToFileURL(`${resolve(folder)}/src/`).href;
  registerHooks({
    resolve: (specifier, context, next) => {
      if (!context.parentURL?.startsWith(checkout)) return next(specifier, context);
      if (!specifier.startsWith('.')) return next(specifier, { ...context, parentURL: import.meta.url });
      const url = new URL(specifier, context.parentURL).href;
      const source = MODULES[url.slice(checkout.length)];
      if (source !== undefined)
        return { url: `data:text/javascript,${encodeURIComponent(source)}`, shortCircuit: true };
      const typed = url.replace(/\.js$/, '.ts');
      return { url: existsSync(fileURLToPath(typed)) ? typed : url, shortCircuit: true };
    },
  });
  const names = (await readdir(join(folder, 'src/test-suites'))).toSorted((a, b) => a.localeCompare(b));
  const modules = await Promise.all(
    names.map((name): Promise<{ readonly default: AuditSuite }> => import(`${checkout}test-suites/${name}/index.ts`)),
  );
  return modules.map((module) => module.default);
}

/** Serves the subgraphs by graphql-js, each under its name. */
async function serveSubgraphs(subgraphs: readonly AuditSubgraph[]): Promise<Server> {
  const schemas = new Map(
    subgraphs.map(({ name, typeDefs, resolvers }) => [
      `/${name}`,
      buildSubgraphSchema([{ typeDefs: parse(typeDefs), resolvers }]),
    ]),
  );
  const answer = async (path: string, body: string): Promise<ExecutionResult> => {
    const { query, variables } = JSON.parse(body) as { readonly query: string; readonly variables: {} };
    const schema = schemas.get(path);
    if (!schema) throw new Error(`there is no subgraph at ${path}`);
    return graphql({ schema, source: query, variableValues: variables, contextValue: {} });
  };
  const server = createServer((request, response) => {
    void text(request)
      .then((body) => answer(request.url ?? '', body))
      .then((result) => response.setHeader('content-type', 'application/json').end(JSON.stringify(result)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Asks the gateway the cases of a suite. Returns a text for each answer that is wrong. */
async function failuresOf({ subgraphs }: AuditSuite, asked: readonly AuditCase[]): Promise<string[]> {
  const server = await serveSubgraphs(subgraphs);
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const services = subgraphs.map(({ name, typeDefs }) => ({
    name,
    url: `${address}/${name}`,
    typeDefs: parse(typeDefs),
  }));
  const { supergraphSdl = '' } = composeServices(services);
  const clients = services.map(
    ({ name, url }) => [name, withEntityBatches(new RemoteSubgraphClient({ name, url, headers: () => ({}) }))] as const,
  );
  const app = await createApp(log);
  const graph = new CurrentGraph(
    graphOf(new Engine(readSupergraph(supergraphSdl), new Map(clients)), { isLimited: false }),
  );
  const stop = await addGraphQL(app, { graph, viewers: undefined, log });
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/graphql`;
  const failures: string[] = [];
  for (const { query, expected } of asked) {
    const body = JSON.stringify({ query });
    const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answer = await reply.text();
    const { data = null, errors = [] } = JSON.parse(answer) as ExecutionResult;
    const isRight = expected.errors === undefined || expected.errors === errors.length > 0;
    if (!isRight || !isDeepStrictEqual(data, expected.data ?? null))
      failures.push(`${query}\n  expected ${JSON.stringify(expected)}\n  got      ${answer}`);
  }
  await app.close();
  await stop();
  await Promise.all(clients.map(([, client]) => client.close()));
  server.close();
  return failures;
}

/** `npm run test:audit -- CHECKOUT`: runs the cases of graphql-hive/federation-gateway-audit. Exits with 1 if one fails. */
async function run(): Promise<void> {
  const [folder] = parseArgs({ allowPositionals: true }).positionals;
  if (folder === undefined || !existsSync(join(folder, 'src/test-suites'))) {
    process.stderr.write(USAGE);
    process.exit(1);
  }
  let [count, failed] = [0, 0];
  for (const suite of await readSuites(folder)) {
    const cases = typeof suite.cases === 'function' ? suite.cases() : suite.cases;
    const failures = await failuresOf(suite, cases);
    count += cases.length;
    failed += failures.length;
    for (const failure of failures) process.stdout.write(`${suite.id}: ${failure}\n`);
  }
  process.stdout.write(`${count - failed} of ${count} cases of the federation audit are right\n`);
  process.exit(failed === 0 && count > 0 ? 0 : 1);
}

await run();
