import { getOperationAST, type DocumentNode, type GraphQLError } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import { randomUUID } from 'node:crypto';
import type { Logger } from '../../kernel/telemetry/log.js';
import { publicCode, publicErrors } from '../engine/public-errors.js';
import { described } from '../graphql/operation-report.js';
import type { OperationReport } from '../http/metrics.js';

interface Running {
  readonly requestId: string;
  readonly startedAt: number;
  readonly codes: Set<string>;
  described: Omit<OperationReport, 'codes'>;
}

/** Logs and counts each operation on a websocket once: when it is refused, or when it ends. Says what clients see of its errors. */
export class SocketOperations {
  /** By the payload that graphql-ws gives to each of its hooks: ids are of one socket. */
  private readonly running = new WeakMap<SubscribePayload, Running>();

  constructor(
    private readonly log: Logger,
    private readonly count: (operation: OperationReport) => void,
  ) {}

  /** @returns the request id of the operation */
  start(payload: SubscribePayload): string {
    const requestId = randomUUID();
    const startedAt = performance.now();
    this.running.set(payload, { requestId, startedAt, codes: new Set(), described: { type: 'none', field: 'none' } });
    return requestId;
  }

  /** Adds what the document says of the operation, once the document is valid. */
  describe(payload: SubscribePayload, document: DocumentNode): void {
    const operation = getOperationAST(document, payload.operationName);
    const running = this.running.get(payload);
    if (running && operation) running.described = described(operation);
  }

  /** What the client sees of a result, its errors noted. */
  result<Result extends { readonly errors?: readonly GraphQLError[] | undefined }>(
    payload: SubscribePayload,
    result: Result,
  ): Result {
    return result.errors ? { ...result, errors: this.shown(payload, result.errors) } : result;
  }

  /** What the client sees of the errors that end the operation. */
  failure(payload: SubscribePayload, errors: readonly GraphQLError[]): GraphQLError[] {
    const shown = this.shown(payload, errors);
    this.end(payload);
    return shown;
  }

  /** Reports the operation; again does nothing. */
  end(payload: SubscribePayload): void {
    const running = this.running.get(payload);
    if (!running) return;
    this.running.delete(payload);
    const { requestId, startedAt, codes } = running;
    const operation = { ...running.described, codes: [...codes] };
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    this.log.info({ requestId, route: '/graphql', ms, operation }, 'socket operation');
    this.count(operation);
  }

  readonly reportFault = (fault: unknown) => this.log.error({ err: fault }, 'an operation on a socket failed');

  private shown(payload: SubscribePayload, errors: readonly GraphQLError[]): GraphQLError[] {
    for (const error of errors) this.running.get(payload)?.codes.add(publicCode(error));
    return publicErrors(errors, this.reportFault);
  }
}
