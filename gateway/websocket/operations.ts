import type { ExecutionResult, GraphQLError, OperationDefinitionNode } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import { randomUUID } from 'node:crypto';
import type { Span, Trace } from '../../kernel/telemetry/trace.js';
import { METRICS } from '../../kernel/telemetry/metrics.js';
import type { Logger } from '../../kernel/telemetry/log.js';
import { publicCode, publicErrors } from '../engine/public-errors.js';
import { describeOperation } from '../graphql/operation-report.js';
import { annotateSpan } from '../graphql/operation-tracing.js';
import type { OperationReport } from '../http/metrics.js';

const RUNNING = METRICS.gauge('websocket_operations', 'Operations and subscriptions that run on websockets.', ['type']);

/** Counts an operation that has ended. */
export type CountOperation = (operation: OperationReport, seconds: number, traceId?: string) => void;

interface Running {
  readonly requestId: string;
  readonly startedAt: number;
  /** The codes of its errors, each once. */
  readonly codes: string[];
  /** Lasts as long as the operation; of a subscription, too. */
  readonly span: Span | undefined;
  description: Omit<OperationReport, 'codes'>;
}

/** Logs and counts each operation on a websocket once, when it fails or ends. Converts its errors to public errors. */
export class SocketOperations {
  /** The key is the payload, which graphql-ws passes to each hook. Operation ids are unique only within a socket. */
  private readonly running = new WeakMap<SubscribePayload, Running>();

  constructor(
    private readonly dependencies: {
      readonly log: Logger;
      readonly countOperation: CountOperation;
      readonly trace?: Trace | undefined;
      /** Undefined: clients get all errors as they are. */
      readonly access: object | undefined;
    },
  ) {}

  /** @returns the request id of the operation */
  start(payload: SubscribePayload): string {
    const requestId = randomUUID();
    const { traceparent } = payload.extensions ?? {};
    const span = this.dependencies.trace?.begin({
      name: 'websocket',
      kind: 'server',
      attributes: { 'http.route': '/graphql', 'network.protocol.name': 'websocket' },
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    });
    this.running.set(payload, {
      requestId,
      startedAt: performance.now(),
      codes: [],
      span,
      description: { type: 'none', field: 'none' },
    });
    return requestId;
  }

  /** Adds the type, name and field of the operation, once the document is valid. */
  describe(payload: SubscribePayload, operation: OperationDefinitionNode): void {
    const running = this.running.get(payload);
    if (!running) return;
    running.description = describeOperation(operation);
    if (running.span) annotateSpan(running.span, operation, []);
    RUNNING.add([operation.operation], 1);
  }

  /** Converts the errors of a result to public errors and records their codes. */
  result<Result extends { readonly errors?: readonly GraphQLError[] | undefined }>(
    payload: SubscribePayload,
    result: Result,
  ): Result {
    return result.errors ? { ...result, errors: this.shown(payload, result.errors) } : result;
  }

  /** Ends the operation with these errors and returns the public ones. */
  failure(payload: SubscribePayload, errors: readonly GraphQLError[]): GraphQLError[] {
    const shown = this.shown(payload, errors);
    this.end(payload);
    return shown;
  }

  /** Reports the operation. A second call does nothing. */
  end(payload: SubscribePayload): void {
    const running = this.running.get(payload);
    if (!running) return;
    this.running.delete(payload);
    const { requestId, startedAt, codes, span } = running;
    if (running.description.type !== 'none') RUNNING.add([running.description.type], -1);
    const operation = { ...running.description, codes };
    const durationMs = performance.now() - startedAt;
    const ms = Math.round(durationMs * 10) / 10;
    const { log, countOperation } = this.dependencies;
    log.info({ requestId, route: '/graphql', ms, operation }, 'socket operation');
    if (codes[0] !== undefined) span?.fail(codes[0]);
    span?.end();
    countOperation(operation, durationMs / 1000, span?.traceId);
  }

  /** Executes a query or mutation in the span of its operation. */
  run<Result>(payload: SubscribePayload, work: () => Result): Result {
    const { trace } = this.dependencies;
    const span = this.running.get(payload)?.span;
    return trace && span ? trace.run(span, work) : work();
  }

  /** Executes an event of a subscription in a trace of its own, which is linked to the span of the subscription. */
  runEvent(payload: SubscribePayload, work: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
    const { trace } = this.dependencies;
    const { span, description } = this.running.get(payload) ?? {};
    // A subscription that its client does not want to be recorded has no events either.
    if (!trace || span?.traceId === undefined) return work();
    const start = { name: `event ${description?.field}`, kind: 'consumer', link: span, isEntry: true } as const;
    return trace.within(start, work, ({ errors }) => errors?.[0] && publicCode(errors[0]));
  }

  readonly reportFault = (fault: unknown) =>
    this.dependencies.log.error({ err: fault }, 'an operation on a socket failed');

  private shown(payload: SubscribePayload, errors: readonly GraphQLError[]): GraphQLError[] {
    const { codes = [] } = this.running.get(payload) ?? {};
    for (const error of errors) if (!codes.includes(publicCode(error))) codes.push(publicCode(error));
    return this.dependencies.access ? publicErrors(errors, this.reportFault) : [...errors];
  }
}
