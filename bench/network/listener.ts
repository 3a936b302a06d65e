import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { inTurns } from '../in-turns.js';

/** What a client that draws the graph asks for. */
const WATCH = `subscription {
  topologyChanged {
    revision from isWhole removedNodes removedEdges
    nodes { id type label meta { groupId peerId ip status groups } }
    edges { id type source target meta { policyId protocol ports action enabled } }
  }
}`;

/** How a message begins by which a subscription ends or fails. */
const REFUSAL = /^\{"id":"\d+","type":(?:"error"|"complete"|"next","payload":\{(?:"data":null,)?"errors")/;

/** What a server that is busy closes a socket with before it has signed in. */
const CONNECT_AGAIN: ReadonlySet<number> = new Set([1012, 4408]);

/** What a server that is busy says instead of what is wanted; who is told so asks again. */
const ASK_AGAIN = /"code":"(?:UNAVAILABLE|RATE_LIMITED)"/;
const ASK_AGAIN_MS = 1_000;

class ClosedError extends Error {
  constructor(
    readonly code: number,
    reason: string,
  ) {
    super(`a socket was closed with ${code}: ${reason}`);
  }
}

/** A socket that counts what it is sent and reads none of it. */
export class Listener {
  /** How often a busy server was asked again. */
  static askedAgain = 0;
  /** The last text that came. */
  newest: Buffer = Buffer.alloc(0);
  private heard = 0;
  private wanted = Number.POSITIVE_INFINITY;
  private wake: ((atMs: number) => void) | undefined;
  private refuse: ((fault: Error) => void) | undefined;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      if (REFUSAL.test(data.subarray(0, 200).toString())) this.refuse?.(new Error(data.toString()));
      this.newest = data;
      if (++this.heard >= this.wanted) this.wake?.(performance.now());
    });
  }

  /** One of the bare server, which sends without being asked. */
  static async bare(url: string): Promise<Listener> {
    const listener = new Listener(new WebSocket(url.replace('http', 'ws')));
    await once(listener.socket, 'open');
    return listener;
  }

  /** One of the platform that watches its graph so many times over, when it has heard the whole of it as often. */
  static async watching(url: string, token: string, times: number): Promise<Listener> {
    for (;;) {
      const listener = await Listener.signedIn(url, token);
      const whole = listener.hears(times);
      for (let i = 0; i < times; i++) listener.send({ id: `${i}`, type: 'subscribe', payload: { query: WATCH } });
      try {
        await whole;
        return listener;
      } catch (error) {
        if (!(error instanceof Error) || !ASK_AGAIN.test(error.message)) throw error;
        Listener.askedAgain++;
        await listener.close();
        await delay(ASK_AGAIN_MS);
      }
    }
  }

  private static async signedIn(url: string, token: string): Promise<Listener> {
    for (;;) {
      const listener = new Listener(new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws'));
      await once(listener.socket, 'open');
      const answered = listener.hears(1);
      listener.send({ type: 'connection_init', payload: { Authorization: `Token ${token}` } });
      try {
        await answered;
        return listener;
      } catch (error) {
        if (!(error instanceof ClosedError) || !CONNECT_AGAIN.has(error.code)) throw error;
        Listener.askedAgain++;
      }
    }
  }

  /** Settles with the time at which it has heard so many more. @throws when it is closed before, or says something else */
  async hears(count: number): Promise<number> {
    this.wanted = this.heard + count;
    const atMs = await new Promise<number>((resolve, reject) => {
      this.wake = resolve;
      this.refuse = reject;
      this.socket.once('close', (code, reason) => reject(new ClosedError(code, reason.toString())));
    });
    this.socket.removeAllListeners('close');
    this.wanted = Number.POSITIVE_INFINITY;
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

const OPENING = 2;

/** Opens so many, a few at a time. */
export async function openListeners(count: number, open: (n: number) => Promise<Listener>): Promise<Listener[]> {
  const listeners: Listener[] = [];
  await inTurns(OPENING, Array(count).keys(), async (n) => listeners.push(await open(n)));
  return listeners;
}
