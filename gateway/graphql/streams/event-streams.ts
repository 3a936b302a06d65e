import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { OperationTypeNode, type ExecutionResult, type FormattedExecutionResult, type GraphQLError } from 'graphql';
import { KeyedSemaphore } from '../../../kernel/concurrency/keyed-semaphore.js';
import { badRequest, internal, rateLimited, unavailable } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/telemetry/log.js';
import { publicCode } from '../../engine/public-errors.js';
import type { FormatError } from '../apollo-server.js';
import type { Subscription } from '../fan-out/broadcast.js';
import type { CurrentGraph, Graph } from '../current-graph.js';
import type { Report, ReportingContext } from '../operation-report.js';
import { errorsOf, readParameters, writeResult } from '../planned-request.js';
import type { Revocations } from '../token-watch/revocations.js';
import { SerializedResult } from '../serialized-result.js';
import { framesOf } from './deferred-parts.js';
import { acceptedBy, PARTS, SERVER_SENT_EVENTS, type Accepted, type StreamFormat } from './stream-formats.js';
import { StreamSubscriber } from './stream-subscriber.js';
import { refuseExpired, watchToken } from '../token-watch/token-watch.js';
import type { Viewers } from '../viewer.js';

/** Time for all parts of an answer, which has a slot of its viewer until then. */
const MAX_PARTS_MS = 120_000;

/** Maximum number of streams of a user, a service or an anonymous client in this process. */
const MAX_STREAMS = 50;

interface StreamDependencies {
  readonly graph: CurrentGraph;
  /** Undefined in the standalone gateway: every viewer is anonymous and not limited. */
  readonly viewers: Viewers | undefined;
  readonly revocations?: Revocations;
  readonly formatError: FormatError;
  readonly report: Report;
  readonly log: Logger;
  /** Default: two minutes. */
  readonly maxPartsMs?: number;
}

/** An operation and the graph on which it began. */
type Operation = Subscription & { readonly graph: Graph; readonly context: ReportingContext };

/** A request, and how it is answered. */
export interface StreamRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly contextOf: () => ReportingContext;
  /** Runs a query or mutation when its viewer has a free slot. */
  readonly queue: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Serves operations as server-sent events, and subscriptions and deferred fragments in parts of a multipart answer. */
export class EventStreams {
  private readonly open = new Set<StreamSubscriber>();
  private isClosed = false;
  private readonly limiter = new KeyedSemaphore({ atOnce: MAX_STREAMS, waiting: 0 }, () =>
    rateLimited(`At most ${MAX_STREAMS} streams at once.`, { retryAfter: 1 }),
  );

  constructor(private readonly dependencies: StreamDependencies) {}

  /**
   * Answers a request for a stream. Returns whether it was one: a reply in a promise would be undefined, because Fastify
   * makes it a promise of its own. @throws RATE_LIMITED
   */
  async serve(incoming: StreamRequest): Promise<boolean> {
    const { request, reply, contextOf } = incoming;
    const accepted = acceptedBy(request.headers.accept);
    const parameters = accepted && readParameters(request);
    if (!parameters) return false;
    const address = this.dependencies.viewers && request.ip;
    const graph = this.dependencies.graph.get();
    const plan = graph.documents.plan(parameters, { name: parameters.operationName ?? undefined, address });
    if ('errors' in plan) {
      // Apollo Server answers all others, but nobody without JSON.
      if (!accepted.acceptsJson) reply.code(400).send({ errors: this.shown(plan.errors) });
      return !accepted.acceptsJson;
    }
    const { text: query, planned } = plan;
    const operation = { graph, query, planned, variables: parameters.variables ?? {}, context: contextOf() };
    return this.answer(operation, accepted, incoming);
  }

  private async answer(
    operation: Operation,
    { format, isForEveryOperation, hasParts }: Accepted,
    incoming: StreamRequest,
  ): Promise<boolean> {
    if (typeOf(operation) === OperationTypeNode.SUBSCRIPTION) {
      if (format) await this.subscribe(operation, format, incoming);
      return format !== undefined;
    }
    const isInParts = hasParts && operation.planned.hasDefer;
    if (isForEveryOperation) await this.execute(operation, incoming);
    else if (isInParts) await this.answerInParts(operation, incoming);
    return isForEveryOperation || isInParts;
  }

  /** Ends all streams and refuses new ones; clients subscribe again. */
  close(): void {
    this.isClosed = true;
    for (const subscriber of this.open) subscriber.close();
  }

  /** Answers a query or mutation with one event. */
  private async execute(operation: Operation, { request, reply, queue }: StreamRequest): Promise<void> {
    const { graph, planned, variables, context } = operation;
    requirePost(operation, request);
    const result = await queue(() => graph.engine.execute(planned, variables, context));
    this.dependencies.report(context, planned.operation, result.errors ?? []);
    const { name, next, ending } = SERVER_SENT_EVENTS;
    const event = new SerializedResult(this.publicResult(result)).frame(name, next);
    sendAs(SERVER_SENT_EVENTS, reply).send(Buffer.concat([event, Buffer.from(ending)]));
  }

  /** Answers a query or mutation without its deferred fragments, and then with each of them. It has its slot until the end. */
  private answerInParts(operation: Operation, { request, reply, queue }: StreamRequest): Promise<void> {
    requirePost(operation, request);
    const { graph, planned, variables, context } = operation;
    return new Promise((resolve, reject) => {
      queue(async () => {
        const timeout = AbortSignal.timeout(this.dependencies.maxPartsMs ?? MAX_PARTS_MS);
        const signal = context.signal ? AbortSignal.any([context.signal, timeout]) : timeout;
        const errors: GraphQLError[] = [];
        const report = () => this.dependencies.report(context, planned.operation, errors);
        const show = (some: readonly GraphQLError[]) => {
          errors.push(...some);
          return this.shown(some);
        };
        const parts = graph.engine.executeInParts(planned, variables, { ...context, signal });
        const { value: first } = await parts.next();
        if (!first || !('data' in first)) {
          errors.push(...(first && 'errors' in first ? (first.errors ?? []) : []));
          report();
          reply.send(writeResult(reply, { errors }, this.dependencies.formatError));
          resolve();
        } else {
          const frames = withEnd(framesOf(first, parts, show), report);
          const body = Readable.from(frames, { objectMode: false, signal: timeout });
          sendAs(PARTS, reply).send(body);
          resolve();
          await finished(body).catch(() => undefined);
        }
      }).catch(reject);
    });
  }

  private async subscribe(
    operation: Operation,
    format: StreamFormat,
    { request, reply }: Pick<StreamRequest, 'request' | 'reply'>,
  ): Promise<void> {
    // A connection that was open before can still send requests.
    if (this.isClosed) throw unavailable('The server is stopping; subscribe again.', { retryAfter: 1 });
    const leave = await this.enter(operation, request);
    const errors = new Map<string, GraphQLError>();
    const subscriber = new StreamSubscriber(operation, {
      format,
      publicResult: (result) => {
        for (const error of result.errors ?? []) errors.set(publicCode(error), error);
        return this.publicResult(result);
      },
      failure: (error) => {
        this.dependencies.log.error({ err: error }, 'a subscription failed');
        return this.publicResult({ errors: [internal()] });
      },
      onEnd: () => {
        this.open.delete(subscriber);
        leave();
        stopWatching();
        this.dependencies.report(operation.context, operation.planned.operation, [...errors.values()]);
      },
    });
    this.open.add(subscriber);
    const stopWatching = this.watchToken(operation, request, () => subscriber.close());
    reply.raw.once('close', () => subscriber.close());
    operation.graph.broadcasts.run(subscriber);
    sendAs(format, reply).send(subscriber.body);
  }

  private async enter({ context: { viewer } }: Subscription, request: FastifyRequest): Promise<() => void> {
    if (!this.dependencies.viewers) return () => undefined;
    refuseExpired(viewer);
    if (viewer.kind === 'user') return this.limiter.enter(`user ${viewer.userId}`);
    return this.limiter.enter('tokenId' in viewer ? `token ${viewer.tokenId}` : `address ${request.ip}`);
  }

  private watchToken({ context: { viewer } }: Subscription, request: FastifyRequest, close: () => void): () => void {
    const { viewers, revocations } = this.dependencies;
    if (!viewers || !revocations || !('tokenId' in viewer)) return () => undefined;
    return watchToken(revocations, { viewer, findViewer: () => viewers.findAgain(request), close });
  }

  private publicResult({ errors, ...result }: ExecutionResult): FormattedExecutionResult {
    return errors ? { errors: this.shown(errors), ...result } : result;
  }

  private shown(errors: readonly GraphQLError[]) {
    return errorsOf(errors, this.dependencies.formatError);
  }
}

/** Yields all items, then calls a function; also when the reader stops before the end. */
async function* withEnd<Item>(items: AsyncIterable<Item>, end: () => void): AsyncGenerator<Item> {
  try {
    yield* items;
  } finally {
    end();
  }
}

function typeOf({ planned }: Operation): OperationTypeNode {
  return planned.operation.operation;
}

function requirePost(operation: Operation, { method }: FastifyRequest): void {
  if (typeOf(operation) === OperationTypeNode.MUTATION && method !== 'POST')
    throw badRequest('Send mutations by POST.');
}

function sendAs({ contentType }: Pick<StreamFormat, 'contentType'>, reply: FastifyReply): FastifyReply {
  return reply
    .header('content-type', contentType)
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no');
}
