import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Engine } from '../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/read-supergraph.js';
import { CurrentGraph, graphOf } from '../../../gateway/graphql/current-graph.js';
import { ViewerQueue } from '../../../gateway/graphql/viewer-queue.js';
import { RequestRates } from '../../../gateway/http/request-rates.js';
import type { OperationReport } from '../../../gateway/http/metrics.js';
import { Revocations } from '../../../gateway/graphql/token-watch/revocations.js';
import { addSockets } from '../../../gateway/websocket/socket.js';
import { packageRoot } from '../../../kernel/package-root.js';
import { RemoteSubgraphClient } from '../../../kernel/subgraph/remote/remote-subgraph.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { TestSocket } from '../../kit/socket.js';

const VIEWER = { kind: 'service', name: 'tests', tokenId: '1', expiresAt: null, roles: [] } as const;

/** A client that is never used. */
const NOBODY = new RemoteSubgraphClient({ name: 'accounts', url: 'http://127.0.0.1:9', headers: () => ({}) });

const engine = new Engine(
  readSupergraph(readFileSync(join(packageRoot(), 'schema/supergraph.graphql'), 'utf8')),
  new Map(),
);
jest.spyOn(engine, 'execute').mockRejectedValue(new TypeError('a bug of the tests'));

let http: Server;
let close: () => void;
let reports: OperationReport[];
let socket: TestSocket;
beforeEach(async () => {
  reports = [];
  http = createServer();
  const log = openLog('silent', 'tests');
  close = addSockets(http, {
    graph: new CurrentGraph(graphOf(engine, { isLimited: true })),
    access: {
      viewerQueue: new ViewerQueue(),
      revocations: new Revocations(NOBODY, log),
      rates: new RequestRates({ perUser: 0, perAddress: 0 }, () => 0),
      findViewer: () => Promise.resolve(VIEWER),
    },
    log,
    countOperation: (report) => reports.push(report),
    clientAddressOf: () => '127.0.0.1',
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  socket = await TestSocket.open('a token', `http://127.0.0.1:${(http.address() as AddressInfo).port}`);
});
afterEach(() => {
  socket.close();
  close();
  http.close();
});

it('an operation that fails by a fault of ours is answered, logged and counted as INTERNAL; the socket stays open', async () => {
  socket.subscribe('1', '{ me { id } }');
  const { errors } = await socket.result('1', 1);
  expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL' } }]);
  expect(JSON.stringify(errors)).not.toContain('a bug of the tests');
  socket.subscribe('2', '{ me { id } }');
  await socket.result('2', 1);
  expect(reports[0]).toEqual({ type: 'query', field: 'me', codes: ['INTERNAL'] });
});
