import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../kernel/http/client-network.js';
import { readConfig, type Config } from '../../kernel/config/config.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { CallbackSubscriptions } from '../../kernel/subgraph/remote/callback-subscriptions.js';
import { openTrace } from '../../kernel/telemetry/open-trace.js';
import { createApp } from '../app.js';
import { addGraphQL } from '../graphql/handler.js';
import { StartError } from '../composition/data-directory.js';
import { runUntilSignal, withShutdownTimeout } from '../composition/lifecycle.js';
import { BACKLOG, listen } from '../composition/start-checks.js';
import { addSubscriptionCallbacks, CALLBACK_PATH } from '../http/subscription-callbacks.js';
import { addSockets } from '../websocket/socket.js';
import { parseArguments } from '../composition/arguments.js';
import { openGraphOfFile } from './graph-of-file.js';

const USAGE = 'usage: npm run gateway -- --supergraph FILE --port N [--subscriptions NAME=ws://…|callback]';
const LAST_PORT = 65_535;

/** Starts the standalone gateway: any federation 2 supergraph with subgraphs over HTTP, from a file whose changes it follows. */
async function start(): Promise<() => Promise<void>> {
  const { values } = parseArguments(USAGE, {
    options: {
      supergraph: { type: 'string' },
      port: { type: 'string', default: '4000' },
      subscriptions: { type: 'string', multiple: true, default: [] },
    },
  });
  const isPort = /^\d{1,5}$/.test(values.port) && Number(values.port) <= LAST_PORT;
  if (!values.supergraph || !isPort) throw new StartError(USAGE);
  const config = readConfig({});
  const log = openLog(config.logLevel, 'archipelago-gateway');
  const trace = await openTrace({ config, subgraphs: [], log });
  const port = Number(values.port);
  const { subscriptions } = values;
  const callbacks = new CallbackSubscriptions(callbackUrl(config, port, subscriptions));
  const { graph, close } = await openGraphOfFile(values.supergraph, {
    ...config,
    subscriptions,
    callbacks,
    log,
    trace,
  });
  const app = await createApp(log, undefined, { trace });
  addSubscriptionCallbacks(app, callbacks);
  const stopGraphQL = await addGraphQL(app, { graph, viewers: undefined, log, trace });
  const closeSockets = addSockets(app.server, {
    graph,
    log,
    trace,
    access: undefined,
    countOperation: () => undefined,
    clientAddressOf: ({ socket }: IncomingMessage) => socket.remoteAddress ?? '',
  });
  await listen(() => app.listen({ host: config.host, port, backlog: BACKLOG }), config.host, port);
  process.stdout.write(`gateway ready at http://${config.host}:${values.port}/graphql\n`);
  return async () => {
    closeSockets();
    await withShutdownTimeout(app.close(), () => app.server.closeAllConnections());
    await stopGraphQL();
    await close();
    await trace?.close();
  };
}

/** Returns the address to which subgraphs send events; warns when it may be one that they cannot reach. */
function callbackUrl({ publicUrl, host }: Config, port: number, subscriptions: readonly string[]): string {
  if (publicUrl !== undefined) return `${publicUrl}${CALLBACK_PATH}`;
  const hostname = host.includes(':') ? `[${host}]` : host;
  if (isLoopback(hostname)) return `http://${hostname}:${port}${CALLBACK_PATH}`;
  const url = `http://localhost:${port}${CALLBACK_PATH}`;
  if (subscriptions.some((setting) => setting.endsWith('=callback')))
    process.stderr.write(
      `--subscriptions: PUBLIC_URL is not set, so subgraphs with NAME=callback send events to ${url}.\n`,
    );
  return url;
}

await runUntilSignal(start);
