import { ApolloServer } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLFormattedError,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { methodNotAllowed } from '../kernel/errors.js';
import type { Logger } from '../kernel/log.js';
import { ANONYMOUS } from '../kernel/viewer.js';
import type { Asker, Engine, PlannedOperation, Variables } from './engine/engine.js';
import { limitOperation, MOST_PLANNED_OPERATIONS, MOST_TOKENS } from './limits.js';
import type { SendExplorer } from './pages/explorer.js';
import { publicError } from './public-errors.js';
import type { Viewers } from './viewer.js';

/** Plans by the text of their document and the operation's name, the most used kept. */
export class Plans {
  private readonly plans = new LRUCache<string, PlannedOperation>({ max: MOST_PLANNED_OPERATIONS });

  constructor(private readonly engine: Engine) {}

  of(key: string, document: DocumentNode, operationName: string | undefined): PlannedOperation {
    const name = `${operationName ?? ''}\n${key}`;
    const known = this.plans.get(name);
    if (known) return known;
    const planned = this.engine.plan(document, operationName);
    this.plans.set(name, planned);
    return planned;
  }
}

interface GraphQLDoor {
  readonly engine: Engine;
  readonly plans: Plans;
  /** Who asks; undefined: anyone may, and documents are not held to our limits, as the gateway alone knows neither. */
  readonly viewers: Viewers | undefined;
  /** How a browser is answered; undefined: like anyone else. */
  readonly sendExplorer?: SendExplorer;
  readonly log: Logger;
}

/** Serves POST and GET /graphql by Apollo Server: its parsing, validation and HTTP rules, our engine. Returns how to stop it. */
export async function addGraphQL(
  app: FastifyInstance,
  { engine, plans, viewers, sendExplorer, log }: GraphQLDoor,
): Promise<() => Promise<void>> {
  const server = new ApolloServer<Asker>({
    gateway: apolloGateway(engine, plans),
    introspection: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    persistedQueries: false,
    ...(viewers && { parseOptions: { maxTokens: MOST_TOKENS }, validationRules: [limitOperation] }),
    stringifyResult: JSON.stringify,
    ...(viewers && { formatError: (formatted, error) => shownError(formatted, error, log) }),
    logger: apolloLogger(log),
  });
  await server.start();
  const context = async (request: FastifyRequest) => ({
    viewer: viewers?.of(request) ?? ANONYMOUS,
    requestId: request.id,
  });
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    onRequest: async (request, reply) => {
      if (sendExplorer?.(request, reply)) return reply;
      await viewers?.admit(request);
      return undefined;
    },
    handler: fastifyApolloHandler(server, { context }),
  });
  app.route({
    method: ['PUT', 'PATCH', 'DELETE'],
    url: '/graphql',
    handler: (request, reply) => {
      reply.header('allow', 'GET, POST');
      throw methodNotAllowed(`${request.method} is not served here; try POST.`);
    },
  });
  return () => server.stop();
}

function shownError(formatted: GraphQLFormattedError, error: unknown, log: Logger): GraphQLFormattedError {
  const { message, extensions } = publicError(formatted, () => log.error({ err: error }, 'an operation failed'));
  return { ...formatted, message, extensions };
}

/** Our engine in the place where Apollo Server expects its gateway. */
function apolloGateway(engine: Engine, plans: Plans): never {
  const executor = (call: {
    document: DocumentNode;
    queryHash: string;
    request: { variables?: Variables; operationName?: string };
    contextValue: Asker;
    context: Asker;
  }) => {
    const asked = getOperationAST(call.document, call.request.operationName);
    if (!asked) return { errors: [noOperationNamed()] };
    if (asked.operation === OperationTypeNode.SUBSCRIPTION) return { errors: [belongsOnTheSocket()] };
    const planned = plans.of(call.queryHash, call.document, call.request.operationName);
    return engine.execute(planned, call.request.variables ?? {}, call.contextValue ?? call.context);
  };
  return {
    load: async () => ({ executor }),
    onSchemaLoadOrUpdate: (tell: (schema: object) => void) => {
      tell({ apiSchema: engine.schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    stop: async () => undefined,
  } as never;
}

/** Several operations and no name, or a name that none of them has. */
export function noOperationNamed(): GraphQLError {
  return unresolved('Name one of the operations in the document with operationName.');
}

function belongsOnTheSocket(): GraphQLError {
  return unresolved('Subscriptions are served on the websocket at this address, by graphql-transport-ws.');
}

function unresolved(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE', http: { status: 400 } } });
}

function apolloLogger(log: Logger) {
  return {
    debug: (message?: string) => log.debug(message),
    info: (message?: string) => log.debug(message),
    warn: (message?: string) => log.warn(message),
    error: (message?: string) => log.error(message),
  };
}
