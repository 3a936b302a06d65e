import type { ExecutionResult } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import type { Subscriber, Subscription } from '../graphql/fan-out/broadcast.js';
import type { Graph } from '../graphql/current-graph.js';
import { SerializedResult } from '../graphql/serialized-result.js';
import type { SocketOperations } from './operations.js';
import type { Outlet } from './outlet.js';

/** An operation on a websocket. */
export interface SocketOperation extends Subscription {
  /** Unique on its socket only. */
  readonly id: string;
  readonly payload: SubscribePayload;
  /** The graph on which it began. */
  readonly graph: Graph;
  readonly outlet: Outlet;
}

type End = IteratorReturnResult<undefined>;

/**
 * A subscription of one socket. graphql-ws reads it like a generator, which only ends: the results are sent as frames, whose
 * JSON subscribers share.
 */
export class SocketSubscriber implements Subscriber {
  source: Subscriber['source'];
  isEnded = false;
  private end: { readonly resolve: (end: End) => void; readonly reject: (error: unknown) => void } | undefined;
  private readonly ended = new Promise<End>((resolve, reject) => {
    this.end = { resolve, reject };
  });

  constructor(
    readonly operation: SocketOperation,
    private readonly operations: SocketOperations,
  ) {}

  get isFull(): boolean {
    return this.operation.outlet.isFull;
  }

  drained(): Promise<void> {
    return this.operation.outlet.drained();
  }

  around(execute: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
    return this.operations.runEvent(this.operation.payload, execute);
  }

  send(result: SerializedResult): void {
    const { id, outlet } = this.operation;
    outlet.sendNext(id, result);
  }

  sendErrors(result: ExecutionResult): void {
    this.send(new SerializedResult(this.operations.result(this.operation.payload, result)));
  }

  finish(error?: unknown): void {
    this.isEnded = true;
    if (error === undefined) this.end?.resolve({ done: true, value: undefined });
    else this.end?.reject(error);
  }

  next(): Promise<End> {
    return this.ended;
  }

  /** Ends the subscription for the client, which needs no more events. */
  return(): Promise<End> {
    this.finish();
    this.source?.remove(this);
    return this.ended;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
