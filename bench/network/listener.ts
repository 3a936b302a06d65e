import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { runConcurrently } from '../run-concurrently.js';

/** The subscription of a client that displays the graph. */
const SUBSCRIPTION = `subscription {
  topologyChanged {
    revision from isWhole removedNodes removedEdges
    nodes { id type label meta { groupId peerId ip status groups } }
    edges { id type source target meta { policyId protocol ports action enabled } }
  }
}`;

/** Start of a message that cleanup a subscription or reports an error. */
const FAILURE = /^\{"id":"\d+","type":(?:"error"|"complete"|"next","payload":\{(?:"data":null,)?"errors")/;

/** Close codes of a busy server before sign-in. */
const RETRYABLE_CLOSE_CODES: ReadonlySet<number> = new Set([1012, 4408]);

/** Errors of a busy server; the client retries. */
const RETRYABLE_ERROR = /"code":"(?:UNAVAILABLE|RATE_LIMITED)"/;
const RETRY_DELAY_MS = 1_000;

class ClosedError extends Error {
  constructor(
    readonly code: number,
    reason: string,
  ) {
    super(`a socket was closed with ${code}: ${reason}`);
  }
}

/** A websocket that counts messages without parsing them. */
export class Listener {
  /** Number of retries because the server was busy. */
  static retries = 0;
  /** The last message. */
  newest: Buffer = Buffer.alloc(0);
  private received = 0;
  private expected = Number.POSITIVE_INFINITY;
  private complete: ((atMs: number) => void) | undefined;
  private fail: ((error: Error) => void) | undefined;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      if (FAILURE.test(data.subarray(0, 200).toString())) this.fail?.(new Error(data.toString()));
      this.newest = data;
      if (++this.received >= this.expected) this.complete?.(performance.now());
    });
  }

  /** Connects to the bare server, which needs no subscription. */
  static async bare(url: string): Promise<Listener> {
    const listener = new Listener(new WebSocket(url.replace('http', 'ws')));
    await once(listener.socket, 'open');
    return listener;
  }

  /** Connects to the platform and subscribes several times. Resolves when each subscription has sent the whole graph. */
  static async subscribe(url: string, token: string, times: number): Promise<Listener> {
    for (;;) {
      const listener = await Listener.signIn(url, token);
      const whole = listener.receive(times);
      for (let i = 0; i < times; i++)
        listener.send({ id: `${i}`, type: 'subscribe', payload: { query: SUBSCRIPTION } });
      try {
        await whole;
        return listener;
      } catch (error) {
        if (!(error instanceof Error) || !RETRYABLE_ERROR.test(error.message)) throw error;
        Listener.retries++;
        await listener.close();
        await delay(RETRY_DELAY_MS);
      }
    }
  }

  private static async signIn(url: string, token: string): Promise<Listener> {
    for (;;) {
      const listener = new Listener(new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws'));
      await once(listener.socket, 'open');
      const answered = listener.receive(1);
      listener.send({ type: 'connection_init', payload: { Authorization: `Token ${token}` } });
      try {
        await answered;
        return listener;
      } catch (error) {
        if (!(error instanceof ClosedError) || !RETRYABLE_CLOSE_CODES.has(error.code)) throw error;
        Listener.retries++;
      }
    }
  }

  /** Waits for more messages and returns the time of the last one. @throws when the socket closes or an error arrives */
  async receive(count: number): Promise<number> {
    this.expected = this.received + count;
    const atMs = await new Promise<number>((resolve, reject) => {
      this.complete = resolve;
      this.fail = reject;
      this.socket.once('close', (code, reason) => reject(new ClosedError(code, reason.toString())));
    });
    this.socket.removeAllListeners('close');
    this.expected = Number.POSITIVE_INFINITY;
    return atMs;
  }

  async close(): Promise<void> {
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }

  private send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }
}

const CONCURRENT_OPENS = 2;

/** Opens listeners, a few at a time. */
export async function openListeners(count: number, open: (n: number) => Promise<Listener>): Promise<Listener[]> {
  const listeners: Listener[] = [];
  await runConcurrently(CONCURRENT_OPENS, Array(count).keys(), async (n) => listeners.push(await open(n)));
  return listeners;
}
