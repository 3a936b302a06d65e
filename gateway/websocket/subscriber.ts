import { createHash } from 'node:crypto';
import type { ExecutionResult } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import type { RequestContext, Variables } from '../engine/execution.js';
import type { PlannedOperation } from '../engine/planned-operation.js';
import { NextMessage } from './next-message.js';
import type { SocketOperations } from './operations.js';
import type { Outlet } from './outlet.js';

/** An operation on a websocket. */
export interface SocketOperation {
  /** Unique on its socket only. */
  readonly id: string;
  readonly payload: SubscribePayload;
  readonly planned: PlannedOperation;
  readonly variables: Variables;
  readonly context: RequestContext;
  readonly outlet: Outlet;
}

/** Where a subscriber gets its events from. */
interface Source {
  remove(subscriber: Subscriber): void;
}

/**
 * A subscription of one socket. graphql-ws reads it like a generator, which only ends: the results are sent as frames,
 * which subscribers share.
 */
export class Subscriber {
  /** Undefined before the first event, and while the client is too slow. */
  source: Source | undefined;
  isEnded = false;
  private end!: {
    readonly resolve: (end: IteratorReturnResult<undefined>) => void;
    readonly reject: (error: unknown) => void;
  };
  private readonly ended = new Promise<IteratorReturnResult<undefined>>((resolve, reject) => {
    this.end = { resolve, reject };
  });

  constructor(
    readonly operation: SocketOperation,
    private readonly operations: SocketOperations,
  ) {}

  /** Equal for subscriptions that always get the same answers: operation, variables and token are the same. */
  get key(): string {
    const { payload, variables, context } = this.operation;
    const parts = [payload.query, payload.operationName, variables, context.viewer];
    return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
  }

  get outlet(): Outlet {
    return this.operation.outlet;
  }

  /** Sends a result without errors. */
  send(message: NextMessage): void {
    this.outlet.send(message.frameFor(this.operation.id));
  }

  /** Sends a result with errors, which are logged for each subscriber. */
  sendErrors(result: ExecutionResult): void {
    this.send(new NextMessage(this.operations.result(this.operation.payload, result)));
  }

  /** Ends the subscription; an error is sent to the client. */
  finish(error?: unknown): void {
    this.isEnded = true;
    if (error === undefined) this.end.resolve({ done: true, value: undefined });
    else this.end.reject(error);
  }

  next(): Promise<IteratorReturnResult<undefined>> {
    return this.ended;
  }

  /** Ends the subscription for the client, which needs no more events. */
  return(): Promise<IteratorReturnResult<undefined>> {
    this.finish();
    this.source?.remove(this);
    return this.ended;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
