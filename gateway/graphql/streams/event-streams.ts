import type { FastifyReply, FastifyRequest } from 'fastify';
import { OperationTypeNode, type ExecutionResult, type FormattedExecutionResult, type GraphQLError } from 'graphql';
import { KeyedSemaphore } from '../../../kernel/concurrency/keyed-semaphore.js';
import { badRequest, internal, rateLimited } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/telemetry/log.js';
import { publicCode } from '../../engine/public-errors.js';
import type { FormatError } from '../apollo-server.js';
import type { Subscription } from '../subscriptions/broadcast.js';
import type { CurrentGraph, Graph } from '../current-graph.js';
import type { Report, ReportingContext } from '../operation-report.js';
import { errorsOf, readParameters } from '../planned-request.js';
import type { Revocations } from '../subscriptions/revocations.js';
import { SerializedResult } from '../serialized-result.js';
import { formatFor, isForEveryOperation, SERVER_SENT_EVENTS, type StreamFormat } from './stream-formats.js';
import { StreamSubscriber } from './stream-subscriber.js';
import { watchToken } from '../subscriptions/token-watch.js';
import type { Viewers } from '../viewer.js';

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
}

/** An operation and the graph on which it began. */
type Operation = Subscription & { readonly graph: Graph; readonly context: ReportingContext };

/** A request, and how it is answered. */
export interface StreamRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly contextOf: () => ReportingContext;
  /** Runs a query or mutation when its viewer has a free slot. */
  readonly queue: (work: () => Promise<ExecutionResult>) => Promise<ExecutionResult>;
}

/** Serves operations as server-sent events, and subscriptions in parts of a multipart answer. */
export class EventStreams {
  private readonly open = new Set<StreamSubscriber>();
  private readonly limiter = new KeyedSemaphore({ atOnce: MAX_STREAMS, waiting: 0 }, () =>
    rateLimited(`At most ${MAX_STREAMS} streams at once.`, { retryAfter: 1 }),
  );

  constructor(private readonly dependencies: StreamDependencies) {}

  /** Answers a request for a stream. Returns undefined for other requests. @throws RATE_LIMITED */
  async serve(incoming: StreamRequest): Promise<FastifyReply | undefined> {
    const { request, reply, contextOf } = incoming;
    const format = formatFor(request.headers.accept);
    const parameters = format && readParameters(request);
    if (!parameters) return undefined;
    const address = this.dependencies.viewers && request.ip;
    const graph = this.dependencies.graph.get();
    const plan = graph.documents.plan(parameters, { name: parameters.operationName ?? undefined, address });
    const isStreamed = isForEveryOperation(format, request.headers.accept);
    if ('errors' in plan) return isStreamed ? reply.code(400).send({ errors: this.shown(plan.errors) }) : undefined;
    const { text: query, planned } = plan;
    const operation = { graph, query, planned, variables: parameters.variables ?? {}, context: contextOf() };
    if (typeOf(operation) === OperationTypeNode.SUBSCRIPTION) return this.subscribe(operation, format, incoming);
    return isStreamed ? this.execute(operation, incoming) : undefined;
  }

  /** Ends all streams; clients subscribe again. */
  close(): void {
    for (const subscriber of this.open) subscriber.close();
  }

  /** Answers a query or mutation with one event. */
  private async execute(operation: Operation, { request, reply, queue }: StreamRequest): Promise<FastifyReply> {
    const { graph, planned, variables, context } = operation;
    if (typeOf(operation) === OperationTypeNode.MUTATION && request.method !== 'POST')
      throw badRequest('Send mutations by POST.');
    const result = await queue(() => graph.engine.execute(planned, variables, context));
    this.dependencies.report(context, planned.operation, result.errors ?? []);
    const { name, next, ending } = SERVER_SENT_EVENTS;
    const event = new SerializedResult(this.publicResult(result)).frame(name, next);
    return sendAs(SERVER_SENT_EVENTS, reply).send(Buffer.concat([event, Buffer.from(ending)]));
  }

  private async subscribe(
    operation: Operation,
    format: StreamFormat,
    { request, reply }: Pick<StreamRequest, 'request' | 'reply'>,
  ): Promise<FastifyReply> {
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
    void operation.graph.broadcasts.run(subscriber);
    return sendAs(format, reply).send(subscriber.body);
  }

  private async enter({ context: { viewer } }: Subscription, request: FastifyRequest): Promise<() => void> {
    if (!this.dependencies.viewers) return () => undefined;
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

function typeOf({ planned }: Operation): OperationTypeNode {
  return planned.operation.operation;
}

function sendAs({ contentType }: StreamFormat, reply: FastifyReply): FastifyReply {
  return reply
    .header('content-type', contentType)
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no');
}
