import {
  GRAPHQL_TRANSPORT_WS_PROTOCOL,
  type Context as SocketContext,
  type ServerOptions,
  type SubscribePayload,
} from 'graphql-ws';
import { GraphQLError, type ExecutionArgs, type ExecutionResult } from 'graphql';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { errorCode, internal, rateLimited } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/telemetry/log.js';
import type { Trace } from '../../kernel/telemetry/trace.js';
import { ANONYMOUS, type Viewer } from '../../kernel/security/viewer.js';
import type { CurrentGraph } from '../graphql/current-graph.js';
import { withValidationCode } from '../graphql/documents/documents.js';
import type { Revocations } from '../graphql/token-watch/revocations.js';
import { watchToken, type TokenViewer } from '../graphql/token-watch/token-watch.js';
import type { ViewerQueue } from '../graphql/viewer-queue.js';
import type { Authentication } from '../graphql/viewer.js';
import { userAgentOf } from '../http/client-address.js';
import { checkHost, pathOf } from '../http/host.js';
import type { RequestRates } from '../http/request-rates.js';
import { SocketOperations, type CountOperation } from './operations.js';
import { stoppable } from './stoppable.js';
import { SocketSubscriber, type SocketOperation } from './subscriber.js';
import { destroyOnError, endUpgrade, passes } from './upgrade.js';
import { openWebsocketServer, SOCKET_OPTIONS, type Connection } from './websocket-server.js';

/** Limits and timeouts of a websocket. */
const LIMITS = {
  frameBytes: 64 * 1024,
  signInMs: 3_000,
  keepAliveMs: 12_000,
  shutdownTimeoutMs: 2_000,
  maxBufferedBytes: 1024 * 1024,
  subscriptionsPerSocket: 50,
  socketsPerUser: 20,
} as const;

/** Close codes. Source: graphql-transport-ws from 4000; below, the registry of RFC 6455 */
const CLOSE = { unauthorized: 4401, forbidden: 4403, tooMany: 4429, goingAway: 1001, serviceRestart: 1012 } as const;

export interface SocketDependencies {
  readonly graph: CurrentGraph;
  /** Undefined in the standalone gateway: every viewer is anonymous, and gets the errors of subgraphs as they are. */
  readonly access: SocketAccess | undefined;
  readonly log: Logger;
  readonly countOperation: CountOperation;
  readonly trace?: Trace | undefined;
  readonly clientAddressOf: (request: IncomingMessage) => string;
}

/** Who may connect. */
export interface SocketAccess {
  readonly viewerQueue: ViewerQueue;
  readonly revocations: Revocations;
  readonly rates: RequestRates;
  /** @throws UNAUTHENTICATED */
  readonly findViewer: (authorization: string | undefined, authentication: Authentication) => Promise<Viewer>;
}

interface SignedIn {
  readonly viewer: Viewer;
  readonly leave: () => void;
}

type State = Connection & { signedIn?: SignedIn };

/** The execution arguments of graphql-ws, with the planned operation. */
interface Planned extends ExecutionArgs {
  readonly operation: SocketOperation;
}

/** Serves graphql-transport-ws at /graphql on the HTTP server. Returns a function that closes all websockets. */
export function addSockets(http: Server, dependencies: SocketDependencies): () => void {
  const sockets = new WebSocketServer({
    ...SOCKET_OPTIONS,
    maxPayload: LIMITS.frameBytes,
    handleProtocols: (offered) => (offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) ? GRAPHQL_TRANSPORT_WS_PROTOCOL : false),
  });
  const serve = openWebsocketServer(new Protocol(dependencies).options(), { log: dependencies.log, ...LIMITS });
  http.on('upgrade', (request, socket, head) => {
    destroyOnError(socket);
    const url = pathOf(request.url ?? '');
    if (!/^\/graphql\/?(?:\?|$)/.test(url))
      endUpgrade(socket, `HTTP/1.1 404 Not Found\r\nConnection: close\r\nX-Request-Id: ${randomUUID()}\r\n\r\n`);
    else {
      const client = { clientAddress: dependencies.clientAddressOf(request), userAgent: userAgentOf(request) };
      const check = () => {
        dependencies.access?.rates.countByNetwork(url, client.clientAddress);
        checkHost(request);
      };
      if (passes(check, socket))
        sockets.handleUpgrade(request, socket, head, (ws) => serve(ws, socket as Socket, client));
    }
  });
  return () => {
    for (const socket of sockets.clients) {
      socket.close(CLOSE.goingAway, 'The server is stopping; connect again.');
      setTimeout(() => socket.terminate(), LIMITS.shutdownTimeoutMs).unref();
    }
    sockets.close();
  };
}

class Protocol {
  private readonly socketsOf = new Map<string, number>();

  private readonly operations: SocketOperations;

  constructor(private readonly dependencies: SocketDependencies) {
    this.operations = new SocketOperations(dependencies);
  }

  options(): ServerOptions<Record<string, unknown>, State> {
    return {
      connectionInitWaitTimeout: LIMITS.signInMs,
      onConnect: (context) => this.signIn(context),
      onClose: ({ extra }) => extra.signedIn?.leave(),
      onSubscribe: (context, id, payload) => this.prepareOperation(context, id, payload),
      execute: (args) => stoppable((signal) => this.execute((args as Planned).operation, signal)) as never,
      subscribe: (args) => this.subscribe((args as Planned).operation) as never,
      onNext: (...[, , payload, , result]) => this.operations.result(payload, result) as never,
      onError: (_context, _id, payload, errors) =>
        this.operations.failure(payload, errors).map((error) => error.toJSON()),
      onComplete: (_context, _id, payload) => this.operations.end(payload),
    };
  }

  private async signIn(context: SocketContext<Record<string, unknown>, State>): Promise<boolean> {
    const { access } = this.dependencies;
    if (access) await this.authenticate(context, access);
    else context.extra.signedIn = { viewer: ANONYMOUS, leave: () => undefined };
    return true; // when the socket is closed, it has a clearer reason than the library gives
  }

  /** Reads the token from `connectionParams: { Authorization: "Token …" }`. */
  private async authenticate(
    { connectionParams, extra }: SocketContext<Record<string, unknown>, State>,
    access: SocketAccess,
  ): Promise<void> {
    const { socket, client } = extra;
    const authorization = connectionParams?.Authorization ?? connectionParams?.authorization;
    const header = typeof authorization === 'string' ? authorization : undefined;
    const authentication = { requestId: randomUUID(), clientAddress: client.clientAddress };
    const viewer = await access.findViewer(header, authentication).catch((error: unknown) => errorCode(error));
    if (viewer === 'UNAVAILABLE')
      socket.close(CLOSE.serviceRestart, 'Authentication is temporarily unavailable; connect again.');
    else if (typeof viewer !== 'object' || (viewer.kind !== 'user' && viewer.kind !== 'service'))
      socket.close(CLOSE.unauthorized, 'Sign in with connectionParams { Authorization: "Token …" }.');
    else if (!this.enter(extra, viewer, { access, header }))
      socket.close(CLOSE.tooMany, `At most ${LIMITS.socketsPerUser} sockets per user.`);
  }

  private enter(
    extra: State,
    viewer: TokenViewer,
    { access, header }: { readonly access: SocketAccess; readonly header: string | undefined },
  ): boolean {
    const { socket } = extra;
    const name = viewer.kind === 'user' ? `user ${viewer.userId}` : `service ${viewer.name}`;
    const open = this.socketsOf.get(name) ?? 0;
    if (open >= LIMITS.socketsPerUser) return false;
    this.socketsOf.set(name, open + 1);
    const stopWatching = watchToken(access.revocations, {
      viewer,
      findViewer: () => access.findViewer(header, { requestId: randomUUID() }),
      close: (reason) => {
        if (reason === 'ended') socket.close(CLOSE.forbidden, 'The token is revoked or expired.');
        else socket.close(CLOSE.serviceRestart, 'Your roles changed; connect again.');
      },
    });
    let isClosed = false;
    const leave = () => {
      if (isClosed) return;
      isClosed = true;
      stopWatching();
      const left = (this.socketsOf.get(name) ?? 1) - 1;
      if (left > 0) this.socketsOf.set(name, left);
      else this.socketsOf.delete(name);
    };
    extra.signedIn = { viewer, leave };
    if (socket.readyState !== socket.OPEN) leave();
    return true;
  }

  private prepareOperation(
    { extra, subscriptions }: SocketContext<Record<string, unknown>, State>,
    id: string,
    payload: SubscribePayload,
  ): Planned | readonly GraphQLError[] {
    const requestId = this.operations.start(payload);
    const { signedIn, client, outlet } = extra;
    if (!signedIn) return [rateLimited('This socket is closing.')];
    if (Object.keys(subscriptions).length > LIMITS.subscriptionsPerSocket) {
      return [rateLimited(`At most ${LIMITS.subscriptionsPerSocket} operations at once on a socket.`)];
    }
    try {
      this.dependencies.access?.rates.countByUser(signedIn.viewer);
      return this.plan({ id, payload, outlet, context: { viewer: signedIn.viewer, requestId, ...client } });
    } catch (error) {
      if (error instanceof GraphQLError) return [withValidationCode(error)];
      this.operations.reportFault(error);
      return [internal()];
    }
  }

  private plan(
    read: Omit<SocketOperation, 'graph' | 'query' | 'planned' | 'variables'>,
  ): Planned | readonly GraphQLError[] {
    const { variables, operationName } = read.payload;
    const address = this.dependencies.access && read.context.clientAddress;
    const call = { name: operationName ?? undefined, address };
    const graph = this.dependencies.graph.get();
    const plan = graph.documents.plan(read.payload, call);
    if ('errors' in plan) return plan.errors;
    const { text: query, document, planned } = plan;
    this.operations.describe(read.payload, planned.operation);
    const operation = { ...read, graph, query, planned, variables: variables ?? {} };
    return { schema: graph.engine.schema, document, operationName: operationName ?? null, operation };
  }

  private async *execute(
    { graph, planned, variables, context, payload, outlet }: SocketOperation,
    signal: AbortSignal,
  ): AsyncGenerator<ExecutionResult> {
    const { access } = this.dependencies;
    const execute = () => graph.engine.execute(planned, variables, { ...context, signal });
    const run = () => this.operations.run(payload, execute);
    try {
      yield await outlet.whenRead((work) => (access ? access.viewerQueue.take(context.viewer, work) : work()), run);
    } catch (error) {
      // A thrown error would close the socket before the operation is logged.
      if (!(error instanceof GraphQLError)) this.operations.reportFault(error);
      yield { errors: [error instanceof GraphQLError ? error : internal()] };
    }
  }

  private subscribe(operation: SocketOperation): SocketSubscriber {
    const subscriber = new SocketSubscriber(operation, this.operations);
    operation.graph.broadcasts.run(subscriber);
    return subscriber;
  }
}
