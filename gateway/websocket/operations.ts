import type { GraphQLError, OperationDefinitionNode } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import { randomUUID } from 'node:crypto';
import type { Logger } from '../../kernel/telemetry/log.js';
import { publicCode, publicErrors } from '../engine/public-errors.js';
import { describeOperation } from '../graphql/operation-report.js';
import type { OperationReport } from '../http/metrics.js';

interface Running {
  readonly requestId: string;
  readonly startedAt: number;
  readonly codes: Set<string>;
  description: Omit<OperationReport, 'codes'>;
}

/** Logs and counts each operation on a websocket once, when it fails or ends. Converts its errors to public errors. */
export class SocketOperations {
  /** The key is the payload, which graphql-ws passes to each hook. Operation ids are unique only within a socket. */
  private readonly running = new WeakMap<SubscribePayload, Running>();

  constructor(
    private readonly dependencies: {
      readonly log: Logger;
      readonly countOperation: (operation: OperationReport) => void;
      /** Undefined: clients get all errors as they are. */
      readonly access: object | undefined;
    },
  ) {}

  /** @returns the request id of the operation */
  start(payload: SubscribePayload): string {
    const requestId = randomUUID();
    const startedAt = performance.now();
    this.running.set(payload, { requestId, startedAt, codes: new Set(), description: { type: 'none', field: 'none' } });
    return requestId;
  }

  /** Adds the type, name and field of the operation, once the document is valid. */
  describe(payload: SubscribePayload, operation: OperationDefinitionNode): void {
    const running = this.running.get(payload);
    if (running) running.description = describeOperation(operation);
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
    const { requestId, startedAt, codes } = running;
    const operation = { ...running.description, codes: [...codes] };
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const { log, countOperation } = this.dependencies;
    log.info({ requestId, route: '/graphql', ms, operation }, 'socket operation');
    countOperation(operation);
  }

  readonly reportFault = (fault: unknown) =>
    this.dependencies.log.error({ err: fault }, 'an operation on a socket failed');

  private shown(payload: SubscribePayload, errors: readonly GraphQLError[]): GraphQLError[] {
    for (const error of errors) this.running.get(payload)?.codes.add(publicCode(error));
    return this.dependencies.access ? publicErrors(errors, this.reportFault) : [...errors];
  }
}
