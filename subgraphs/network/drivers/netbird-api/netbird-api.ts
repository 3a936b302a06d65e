import type { Logger } from '../../../../kernel/telemetry/log.js';
import type { NetbirdConfig } from '../../config.js';
import { unavailable } from '../../../../kernel/errors.js';
import { KeyedSemaphore } from '../../../../kernel/concurrency/keyed-semaphore.js';
import { Backoff } from './backoff.rules.js';
import { readBounded } from './netbird-answer.js';

/** The server refused the request. */
export class NetbirdRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The server did not answer in time or gave an invalid answer. */
export class NetbirdOutage extends Error {}

/** Time-out of a request, including the body, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** Time-out of long lists in background jobs, in milliseconds. */
export const LONG_LIST_TIMEOUT_MS = 15_000;

/** Maximum number of parallel requests and of waiting requests. */
const MAX_AT_ONCE = { atOnce: 6, waiting: 200 } as const;

/** Maximum length of a stored refusal, in characters. */
const MAX_REFUSAL_LENGTH = 300;

/** Whether the status means an invalid request rather than a problem of the server. NetBird answers 500 to some invalid input. */
const isAboutRequest = (status: number) => status === 500 || (status < 500 && ![401, 403, 408, 429].includes(status));

type Answer = Readonly<Record<string, unknown>>;

/** NetBird's management API. Source: NetBird REST API 0.0.1 (openapi.yml). Errors never show the token. */
export class NetbirdApi {
  private readonly semaphore = new KeyedSemaphore(
    MAX_AT_ONCE,
    () => new NetbirdOutage('too many requests to NetBird are waiting'),
  );
  private readonly backoff = new Backoff();

  constructor(
    readonly config: NetbirdConfig,
    private readonly listLimitMs = TIMEOUT_MS,
  ) {}

  /** Milliseconds for which background work should pause, because the server failed. */
  get pauseMs(): number {
    return this.backoff.pauseMs(performance.now());
  }

  /** Lists all objects of a kind; the API has no pages. @throws NetbirdRefusal, NetbirdOutage */
  async list(path: string): Promise<Answer[]> {
    const answer = await this.send('GET', path);
    if (!Array.isArray(answer)) throw new NetbirdOutage(`GET ${path}: the response is not a list`);
    return answer as Answer[];
  }

  /** Creates or replaces an object. Returns it as stored by the server. @throws NetbirdRefusal, NetbirdOutage */
  async write(method: 'POST' | 'PUT', path: string, body: object): Promise<Answer & { readonly id: string }> {
    const answer = (await this.send(method, path, body)) as Answer | null | undefined;
    if (typeof answer?.id !== 'string') throw new NetbirdOutage(`${method} ${path}: the response has no id`);
    return { ...answer, id: answer.id };
  }

  /** Deletes an object; succeeds if it does not exist. @throws NetbirdRefusal, NetbirdOutage */
  async remove(path: string): Promise<void> {
    try {
      await this.send('DELETE', path);
    } catch (error) {
      if (!(error instanceof NetbirdRefusal && error.status === 404)) throw error;
    }
  }

  private send(method: string, path: string, body?: object): Promise<unknown> {
    return this.semaphore.take('', async () => {
      try {
        const answer = await this.request(method, path, body);
        this.backoff.succeeded(performance.now());
        return answer;
      } catch (error) {
        if (error instanceof NetbirdOutage) this.backoff.failed(performance.now());
        else this.backoff.succeeded(performance.now());
        throw error;
      }
    });
  }

  private async request(method: string, path: string, body: object | undefined): Promise<unknown> {
    const response = await fetch(this.config.url + path, {
      method,
      redirect: 'error',
      headers: {
        authorization: `Token ${this.config.token}`,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(method === 'GET' ? this.listLimitMs : TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new NetbirdOutage(`${method} ${path}: no response from NetBird (${nameOf(error)})`);
    });
    const answer = await readBounded(response).catch((error: unknown) => {
      throw new NetbirdOutage(`${method} ${path}: the response cannot be parsed (${nameOf(error)})`);
    });
    if (response.ok) return answer;
    const message = `${method} ${path}: NetBird answers ${response.status} ${this.wordsOf(answer)}`;
    const isRefusal = isAboutRequest(response.status) && !(response.status === 500 && method === 'GET');
    if (isRefusal) throw new NetbirdRefusal(response.status, message);
    this.backoff.applyRetryAfter(response.headers.get('retry-after'), performance.now());
    throw new NetbirdOutage(message);
  }

  private wordsOf(answer: unknown): string {
    const message = typeof answer === 'object' && answer !== null && 'message' in answer ? answer.message : '';
    return String(message).replaceAll(this.config.token, '…').slice(0, MAX_REFUSAL_LENGTH);
  }
}

/** The public error when NetBird fails or refuses a request: UNAVAILABLE. The log has the cause. */
export function netbirdUnavailable(error: unknown, log: Logger): Error {
  if (!(error instanceof NetbirdOutage || error instanceof NetbirdRefusal)) throw error;
  log.warn({ reason: error.message }, 'a NetBird request failed');
  return unavailable(
    error instanceof NetbirdRefusal
      ? 'The network’s management server refused the request; its operator finds the reason in the log.'
      : 'The network’s management server cannot be reached; try again in a minute.',
  );
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
