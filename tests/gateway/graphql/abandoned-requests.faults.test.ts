import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { composeServices } from '@apollo/composition';
import { buildSubgraphSchema } from '@apollo/subgraph';
import type { FastifyInstance } from 'fastify';
import { parse } from 'graphql';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createApp } from '../../../gateway/app.js';
import { Engine } from '../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/read-supergraph.js';
import { CurrentGraph, graphOf } from '../../../gateway/graphql/current-graph.js';
import { addGraphQL } from '../../../gateway/graphql/handler.js';
import { ViewerQueue } from '../../../gateway/graphql/viewer-queue.js';
import { Viewers } from '../../../gateway/graphql/viewer.js';
import { RequestRates } from '../../../gateway/http/request-rates.js';
import type { Runtime } from '../../../kernel/subgraph/context.js';
import { LocalSubgraph } from '../../../kernel/subgraph/local-subgraph.js';
import type { SubgraphClient } from '../../../kernel/subgraph/subgraph-client.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { until } from '../../kit/watch.js';

const typeDefs = parse('type Query { held: Int, abandoned: Int }');
const HOLDER = { tokenId: '1', userId: 1, username: 'a user', substrateAddress: null, roles: [], expiresAt: null };

let app: FastifyInstance;
let stop: () => Promise<void>;
let queued: jest.Spied<ViewerQueue['take']>;
/** Ends what the subgraph executes. */
let release: (() => void)[];
/** How often the field `abandoned` was executed. */
let executed: number;
beforeEach(async () => {
  [release, executed] = [[], 0];
  const held = () => new Promise<number>((resolve) => release.push(() => resolve(1)));
  const resolvers = { Query: { held, abandoned: () => ++executed } };
  const log = openLog('silent', 'tests');
  const runtime = { log } as Partial<Runtime> as Runtime;
  const { supergraphSdl = '' } = composeServices([{ name: 'numbers', url: '', typeDefs }]);
  const numbers = new LocalSubgraph(buildSubgraphSchema([{ typeDefs, resolvers }]), runtime);
  const engine = new Engine(readSupergraph(supergraphSdl), new Map([['numbers', numbers]]));
  const accounts: Partial<SubgraphClient> = { execute: async () => ({ data: { holder: HOLDER } }) };
  const rates = new RequestRates({ perUser: 0, perAddress: 0 }, () => 0);
  const viewers = new Viewers(accounts as SubgraphClient, rates);
  const viewerQueue = new ViewerQueue();
  queued = jest.spyOn(viewerQueue, 'take');
  app = await createApp(log);
  const graph = new CurrentGraph(graphOf(engine, { isLimited: true }));
  stop = await addGraphQL(app, { graph, viewers, viewerQueue, log });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(async () => {
  for (const end of release) end();
  await app.close();
  await stop();
});

function send(query: string, accept: string) {
  const { port } = app.server.address() as AddressInfo;
  const headers = { accept, authorization: 'Token one', 'content-type': 'application/json', connection: 'close' };
  const sent = request({ port, host: '127.0.0.1', path: '/graphql', method: 'POST', headers });
  sent.on('error', () => undefined).end(JSON.stringify({ query }));
  return sent;
}

async function answered(query: string, accept: string): Promise<void> {
  const [answer] = await once(send(query, accept), 'response');
  await once(answer.resume(), 'end');
}

it.each([
  ['application/json', 0],
  ['application/json', 1],
  ['application/json;q=0.9', 0],
  ['text/event-stream', 0],
])('a query whose client has left while it waited for a turn is not executed: %s, after %i', async (accept, before) => {
  const query = '{ abandoned }';
  for (let count = 0; count < before; count++) await answered(query, accept);
  const begun = queued.mock.calls.length;
  for (let count = 0; count < 8; count++) send(`{ a${count}: held }`, 'application/json');
  await until(async () => release.length === 8);
  let connection: Socket | undefined;
  app.server.once('connection', (socket) => (connection = socket));
  const abandoned = send(query, accept);
  await until(async () => queued.mock.calls.length === begun + 9);
  abandoned.destroy();
  await until(async () => connection?.destroyed === true);
  for (const end of release) end();
  // The turns are in order: after this one comes the next.
  await answered('{ __typename }', 'application/json');
  expect(executed).toBe(before);
});
