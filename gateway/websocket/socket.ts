import {
  GRAPHQL_TRANSPORT_WS_PROTOCOL,
  type Context as SocketContext,
  type ServerOptions,
  type SubscribePayload,
} from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import { GraphQLError, type ExecutionArgs, type ExecutionResult } from 'graphql';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { WebSocketServer, type WebSocket } from 'ws';
import { errorCode, internal, rateLimited } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/telemetry/log.js';
import type { Trace } from '../../kernel/telemetry/trace.js';
import type { Viewer } from '../../kernel/viewer.js';
import type { Engine } from '../engine/engine.js';
import type { RequestContext, Variables } from '../engine/execution.js';
import type { PlannedOperation } from '../engine/planned-operation.js';
import type { OperationReport } from '../http/metrics.js';
import type { PlanCache } from '../graphql/plan-cache.js';
import type { ViewerQueue } from '../graphql/viewer-queue.js';
import type { Authentication } from '../graphql/viewer.js';
import { withValidationCode, Documents } from './documents.js';
import { SocketOperations } from './operations.js';
import type { Revocations } from './revocations.js';
import { stoppable } from './stoppable.js';
import { closeAt } from './token-expiry.js';
import { runWebsocketServer } from './websocket-server.js';

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
  readonly engine: Engine;
  readonly plans: PlanCache;
  readonly viewerQueue: ViewerQueue;
  readonly revocations: Revocations;
  readonly log: Logger;
  readonly countOperation: (operation: OperationReport, seconds: number, traceId?: string) => void;
  readonly trace?: Trace | undefined;
  /** @throws UNAUTHENTICATED */
  readonly findViewer: (authorization: string | undefined, authentication: Authentication) => Promise<Viewer>;
  readonly clientAddressOf: (request: IncomingMessage) => string;
}

interface SignedIn {
  readonly viewer: Exclude<Viewer, { kind: 'anonymous' | 'platform' }>;
  readonly leave: () => void;
}

type State = Extra & { signedIn?: SignedIn };

/** The execution arguments of graphql-ws, with the plan and the request context. */
interface Planned extends ExecutionArgs {
  readonly planned: PlannedOperation;
  readonly context: RequestContext;
  readonly payload: SubscribePayload;
}

/** Serves graphql-transport-ws at /graphql on the HTTP server. Returns a function that closes all websockets. */
export function addSockets(http: Server, dependencies: SocketDependencies): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LIMITS.frameBytes,
    handleProtocols: (offered) => (offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) ? GRAPHQL_TRANSPORT_WS_PROTOCOL : false),
  });
  http.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (!/^\/graphql\/?(?:\?|$)/.test(request.url ?? ''))
      socket.end(`HTTP/1.1 404 Not Found\r\nConnection: close\r\nX-Request-Id: ${randomUUID()}\r\n\r\n`);
    else sockets.handleUpgrade(request, socket, head, (ws) => sockets.emit('connection', ws, request));
  });
  runWebsocketServer(sockets, new Protocol(dependencies).options(), { log: dependencies.log, ...LIMITS });
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

  private readonly documents: Documents;
  private readonly operations: SocketOperations;

  constructor(private readonly dependencies: SocketDependencies) {
    this.documents = new Documents(dependencies.engine.schema, dependencies.plans);
    this.operations = new SocketOperations(dependencies.log, dependencies.countOperation, dependencies.trace);
  }

  options(): ServerOptions<Record<string, unknown>, State> {
    return {
      connectionInitWaitTimeout: LIMITS.signInMs,
      onConnect: (context) => this.signIn(context),
      onClose: ({ extra }) => extra.signedIn?.leave(),
      onSubscribe: (context, _id, payload) => this.prepareOperation(context, payload),
      execute: (args) => stoppable((signal) => this.execute(args as Planned, signal)) as never,
      subscribe: (args) => stoppable((signal) => this.subscribe(args as Planned, signal)) as never,
      onNext: (...[, , payload, , result]) => this.operations.result(payload, result) as never,
      onError: (_context, _id, payload, errors) =>
        this.operations.failure(payload, errors).map((error) => error.toJSON()),
      onComplete: (_context, _id, payload) => this.operations.end(payload),
    };
  }

  /** Reads the token from `connectionParams: { Authorization: "Token …" }`. */
  private async signIn({ connectionParams, extra }: SocketContext<Record<string, unknown>, State>): Promise<boolean> {
    const { socket } = extra;
    const authorization = connectionParams?.Authorization ?? connectionParams?.authorization;
    const header = typeof authorization === 'string' ? authorization : undefined;
    const authentication = { requestId: randomUUID(), clientAddress: this.dependencies.clientAddressOf(extra.request) };
    const viewer = await this.dependencies
      .findViewer(header, authentication)
      .catch((error: unknown) => errorCode(error));
    if (viewer === 'UNAVAILABLE') {
      socket.close(CLOSE.serviceRestart, 'Authentication is temporarily unavailable; connect again.');
      return true;
    }
    if (typeof viewer !== 'object' || (viewer.kind !== 'user' && viewer.kind !== 'service')) {
      socket.close(CLOSE.unauthorized, 'Sign in with connectionParams { Authorization: "Token …" }.');
      return true; // already closed, with a clearer reason than the library gives
    }
    if (!this.enter(extra, viewer, header))
      socket.close(CLOSE.tooMany, `At most ${LIMITS.socketsPerUser} sockets per user.`);
    return true;
  }

  private enter(extra: State, viewer: SignedIn['viewer'], authorization: string | undefined): boolean {
    const { socket } = extra as unknown as { socket: WebSocket };
    const name = viewer.kind === 'user' ? `user ${viewer.userId}` : `service ${viewer.name}`;
    const open = this.socketsOf.get(name) ?? 0;
    if (open >= LIMITS.socketsPerUser) return false;
    this.socketsOf.set(name, open + 1);
    const close = () => socket.close(CLOSE.forbidden, 'The token is revoked or expired.');
    const stopWatching = this.dependencies.revocations.watch({
      tokenId: viewer.tokenId,
      findViewer: () => this.dependencies.findViewer(authorization, { requestId: randomUUID() }),
      compare: (found) => {
        if (!found) close();
        else if (!isDeepStrictEqual(found, viewer))
          socket.close(CLOSE.serviceRestart, 'Your roles changed; connect again.');
      },
    });
    const cancelExpiry = closeAt(viewer.expiresAt, close);
    let isClosed = false;
    const leave = () => {
      if (isClosed) return;
      isClosed = true;
      stopWatching();
      cancelExpiry();
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
    payload: SubscribePayload,
  ): Planned | readonly GraphQLError[] {
    const requestId = this.operations.start(payload);
    const { signedIn } = extra;
    if (!signedIn) return [rateLimited('This socket is closing.')];
    if (Object.keys(subscriptions).length > LIMITS.subscriptionsPerSocket) {
      return [rateLimited(`At most ${LIMITS.subscriptionsPerSocket} operations at once on a socket.`)];
    }
    try {
      const clientAddress = this.dependencies.clientAddressOf(extra.request);
      return this.plan(payload, { viewer: signedIn.viewer, requestId, clientAddress });
    } catch (error) {
      if (error instanceof GraphQLError) return [withValidationCode(error)];
      this.operations.reportFault(error);
      return [internal()];
    }
  }

  private plan(payload: SubscribePayload, context: RequestContext): Planned | readonly GraphQLError[] {
    const { variables, operationName } = payload;
    const call = { name: operationName ?? undefined, address: context.clientAddress };
    const read = this.documents.plan(payload, call);
    if ('errors' in read) return read.errors;
    this.operations.describe(payload, read.document);
    return {
      schema: this.dependencies.engine.schema,
      document: read.document,
      variableValues: variables ?? {},
      operationName: operationName ?? null,
      planned: read.planned,
      context,
      payload,
    };
  }

  private async *execute(
    { planned, variableValues, context, payload }: Planned,
    signal: AbortSignal,
  ): AsyncGenerator<ExecutionResult> {
    const { engine, viewerQueue } = this.dependencies;
    const work = () => engine.execute(planned, variablesOf(variableValues), { ...context, signal });
    try {
      yield await viewerQueue.take(context.viewer, () => this.operations.run(payload, work));
    } catch (error) {
      // A thrown error would close the socket before the operation is logged.
      if (!(error instanceof GraphQLError)) this.operations.reportFault(error);
      yield { errors: [error instanceof GraphQLError ? error : internal()] };
    }
  }

  private subscribe(
    { planned, variableValues, context, payload }: Planned,
    signal: AbortSignal,
  ): AsyncGenerator<ExecutionResult> {
    const around = (execute: () => Promise<ExecutionResult>) => this.operations.runEvent(payload, execute);
    return this.dependencies.engine.subscribe(planned, variablesOf(variableValues), context, { signal, around });
  }
}

function variablesOf(values: Record<string, unknown> | null | undefined): Variables {
  return values ?? {};
}
