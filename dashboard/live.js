import { Refusal } from './graphql.js';

/** Milliseconds until the first and at most until any further try to connect again. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** Close codes after which trying again with the same token is of no use. */
const SIGNED_OUT = new Set([4401, 4403]);

/**
 * @typedef {{ query: string, next: (data: any) => void, refused: (refusal: Refusal) => void }} Subscription
 * @typedef {{ state: 'connecting' | 'live' | 'closed' }} Connection
 */

/** Subscriptions over one websocket (graphql-transport-ws) that comes back by itself. */
export class Live {
  /** @type {Map<string, Subscription>} */
  #subscriptions = new Map();
  #token;
  #heard;
  #socket = /** @type {WebSocket | undefined} */ (undefined);
  #timer = 0;
  #tries = 0;
  #lastId = 0;
  #acknowledged = false;
  #ended = false;
  #wake = () => this.#retryNow();

  /**
   * @param {string} token
   * @param {{ connection: (connection: Connection) => void, signedOut: (sentence: string) => void }} heard
   */
  constructor(token, heard) {
    this.#token = token;
    this.#heard = heard;
    window.addEventListener('online', this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
    this.#connect();
  }

  /**
   * Begins a subscription, again after each reconnection. A refusal ends it.
   * @param {Subscription} subscription
   * @returns {() => void} ends it
   */
  subscribe(subscription) {
    const id = String((this.#lastId += 1));
    this.#subscriptions.set(id, subscription);
    if (this.#acknowledged) this.#begin(id, subscription);
    return () => {
      if (this.#subscriptions.delete(id) && this.#acknowledged) this.#send({ id, type: 'complete' });
    };
  }

  close() {
    this.#ended = true;
    clearTimeout(this.#timer);
    window.removeEventListener('online', this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
    this.#socket?.close(1000);
  }

  #connect() {
    this.#heard.connection({ state: 'connecting' });
    const url = new URL('../graphql', import.meta.url);
    url.protocol = url.protocol.replace('http', 'ws');
    const socket = new WebSocket(url, 'graphql-transport-ws');
    this.#socket = socket;
    socket.onopen = () => this.#send({ type: 'connection_init', payload: { Authorization: `Token ${this.#token}` } });
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    socket.onclose = ({ code, reason }) => this.#closed(code, reason);
  }

  #receive(message) {
    if (message.type === 'ping') return this.#send({ type: 'pong' });
    if (message.type === 'connection_ack') return this.#welcome();
    const subscription = this.#subscriptions.get(message.id);
    if (!subscription) return undefined;
    if (message.type === 'next') return this.#next(message, subscription);
    this.#subscriptions.delete(message.id);
    if (message.type === 'error') this.#refuse(subscription, message.payload);
    return undefined;
  }

  #welcome() {
    this.#acknowledged = true;
    this.#tries = 0;
    this.#heard.connection({ state: 'live' });
    for (const [id, subscription] of this.#subscriptions) this.#begin(id, subscription);
  }

  #next({ payload }, subscription) {
    if (payload.data) subscription.next(payload.data);
    else this.#refuse(subscription, payload.errors);
  }

  #refuse(subscription, [error] = []) {
    const code = error?.extensions?.code ?? 'INTERNAL';
    subscription.refused(new Refusal(error?.message ?? 'The live view ended.', code));
  }

  #begin(id, { query }) {
    this.#send({ id, type: 'subscribe', payload: { query } });
  }

  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #closed(code, reason) {
    this.#acknowledged = false;
    this.#socket = undefined;
    if (this.#ended) return;
    if (SIGNED_OUT.has(code)) {
      this.close();
      this.#heard.signedOut(reason || 'Your token is no longer valid; sign in again.');
      return;
    }
    const longest = Math.min(FIRST_WAIT_MS * 2 ** this.#tries, LONGEST_WAIT_MS);
    const retryMs = longest * (0.5 + Math.random() / 2); // so that clients of a restarted server do not come all at once
    this.#tries += 1;
    this.#heard.connection({ state: 'closed' });
    this.#timer = setTimeout(() => this.#connect(), retryMs);
  }

  #retryNow() {
    if (this.#socket || this.#ended || document.visibilityState === 'hidden') return;
    clearTimeout(this.#timer);
    this.#connect();
  }
}
