import { errorOf, PlatformError, unknownAnswer } from './errors.js';

/** Where the platform is, and who calls it. */
export interface ConnectionOptions {
  /** Address of the platform, such as `http://localhost:4000`. */
  readonly url: string;
  /**
   * API token or access token. Undefined: anonymous. A function is asked before each request, and again with the token that the
   * platform refused (401): a request is sent once more with another token.
   */
  readonly token?: string | ((refused?: string) => string | undefined | Promise<string | undefined>) | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Attempts of a request that may be repeated; 1 turns retries off. Default: 4. */
  readonly attempts?: number | undefined;
  /** Waits between attempts of a request or of the websocket. */
  readonly wait?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

export interface HttpRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData | Uint8Array<ArrayBuffer> | ArrayBuffer;
  readonly signal?: AbortSignal | undefined;
  /** Whether the request may be sent twice. Default: GET, PUT and DELETE may. */
  readonly isRepeatable?: boolean;
}

/** Statuses after which the same request may succeed. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
const REPEATABLE_METHODS: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);

const DEFAULT_ATTEMPTS = 4;

/** Longest wait that a `Retry-After` can ask for, in seconds. */
const MAX_RETRY_AFTER = 120;

/** Sends requests with the token, and repeats those that a busy or restarting platform did not take. */
export class Transport {
  readonly url: string;
  /** Waits between two attempts. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;

  constructor(private readonly options: ConnectionOptions) {
    this.url = options.url.replace(/\/+$/, '');
    this.wait = options.wait ?? sleep;
  }

  /** The token of the next request. @param refused one that the platform did not take */
  async token(refused?: string): Promise<string | undefined> {
    const { token } = this.options;
    return typeof token === 'function' ? token(refused) : token;
  }

  /** Returns the answer of any status. @throws PlatformError when nothing answers */
  async send(path: string, request: HttpRequest = {}): Promise<Response> {
    const { attempts = DEFAULT_ATTEMPTS } = this.options;
    for (let attempt = 1; ; attempt++) {
      const answer = await this.attempt(path, request);
      if (attempt >= attempts || !mayRepeat(answer, request)) {
        if (answer instanceof PlatformError) throw answer;
        return answer;
      }
      await discard(answer);
      await this.wait(retryAfter(answer) ?? backoff(attempt), request.signal);
    }
  }

  /** Returns the JSON of a successful answer. @throws PlatformError for every other answer */
  async json(path: string, request: HttpRequest = {}): Promise<unknown> {
    const answer = await this.send(path, request);
    const text = await answer.text();
    const body = parse(text);
    if (!answer.ok) throw errorOf(answer.status, body);
    if (body === undefined && text !== '') throw unknownAnswer(answer.status);
    return body;
  }

  private async attempt(path: string, request: HttpRequest): Promise<Response | PlatformError> {
    const token = await this.token();
    const answer = await this.sendAs(token, path, request);
    if (answer.status !== 401 || token === undefined) return answer;
    const next = await this.token(token);
    if (next === undefined || next === token) return answer;
    await discard(answer);
    return this.sendAs(next, path, request);
  }

  private async sendAs(
    token: string | undefined,
    path: string,
    request: HttpRequest,
  ): Promise<Response | PlatformError> {
    const { method = 'GET', headers, body, signal } = request;
    // Else `fetch` fails with the token in its message.
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
      throw new PlatformError('The token has characters that no token has.', 401, 'UNAUTHENTICATED');
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const init = { method, headers: { ...authorization, ...headers }, redirect: 'manual' as const };
    const more = { ...(body !== undefined && { body }), ...(signal && { signal }) };
    return (this.options.fetch ?? fetch)(this.url + path, { ...init, ...more })
      .then(complete)
      .catch((error: unknown) => failure(this.url, error, request));
  }
}

/** Waits for the end of a JSON result, so that a request whose result is cut off is repeated. Downloads stay streams. */
async function complete(answer: Response): Promise<Response> {
  if (!answer.ok || answer.body === null || !/^application\/json\b/.test(answer.headers.get('content-type') ?? ''))
    return answer;
  const bytes = await answer.arrayBuffer().catch(() => {
    throw new PlatformError('The answer was cut off: the request may have had its effect.', undefined, 'NETWORK');
  });
  return new Response(bytes, answer);
}

/** Returns an error of the network. An abort by the caller is thrown with its reason. */
function failure(url: string, error: unknown, { signal }: HttpRequest): PlatformError {
  if (signal?.aborted) throw signal.reason;
  if (error instanceof PlatformError) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
  return new PlatformError(`Nothing answers at ${url}: ${cause}`, undefined, 'NETWORK');
}

/** Ends an answer that nobody reads: else it holds its connection. */
async function discard(answer: Response | PlatformError): Promise<void> {
  if (!(answer instanceof PlatformError)) await answer.body?.cancel().catch(() => undefined);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether the same request may succeed later. A 429 refuses it before it has an effect, so even a POST may be repeated. */
function mayRepeat(answer: Response | PlatformError, { method = 'GET', isRepeatable }: HttpRequest): boolean {
  const { status } = answer;
  if (status === 429) return true;
  if (!(isRepeatable ?? REPEATABLE_METHODS.has(method))) return false;
  return status === undefined || RETRIED_STATUSES.has(status);
}

/** Returns the wait that the platform asks for, in milliseconds. Source: RFC 9110, 10.2.3 */
function retryAfter(answer: Response | PlatformError): number | undefined {
  const header = answer instanceof Response ? answer.headers.get('retry-after') : null;
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER) * 1000 : undefined;
}

/** Returns 0.5, 1, 2 … seconds with jitter, in milliseconds. */
export function backoff(attempt: number): number {
  return 500 * 2 ** (attempt - 1) * (0.5 + Math.random());
}

async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
