import { Agent, request, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect, type ConnectionOptions } from 'node:tls';
import { responseOf } from '../../../../../kernel/http/response-of.js';
import type { ProxmoxConfig } from '../../../config.js';
import { HostUnreachable, ProviderFault } from '../provider.js';

/** Request time-out in milliseconds. Longer operations run as tasks, whose id is returned at once. */
const TIMEOUT_MS = 10_000;

/** Maximum size of a response in bytes. */
const MAX_ANSWER_LENGTH = 8 * 2 ** 20;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A response object. */
export type Answer = Readonly<Record<string, unknown>>;

/** Request body: form fields, or an encoded form. */
export type Sent = Readonly<Record<string, string | number>> | { readonly type: string; readonly bytes: Buffer };

/** Proxmox refused the request. */
export class ProxmoxRefusal extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** Whether a request was not sent or was refused, so that nothing came of it. Gateways answer 502 and more for what may have been done. */
export function hadNoEffect(error: unknown): boolean {
  if (error instanceof ProxmoxRefusal || error instanceof ProviderFault) return true;
  return error instanceof HostUnreachable && error.status !== undefined && error.status <= 500;
}

/** Client for Proxmox VE. Source: Proxmox VE API, api2/json; pveum, API Tokens */
export class ProxmoxApi {
  private readonly agent: Agent;

  constructor(
    private readonly config: ProxmoxConfig,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    const options = { keepAlive: true, maxSockets: 8 };
    const { fingerprint } = config;
    this.agent = fingerprint === undefined ? new Agent(options) : new PinnedAgent({ fingerprint, timeoutMs }, options);
  }

  /**
   * @param path below `/api2/json/`, with encoded parts @returns the `data` of the response @throws HostUnreachable
   * when it cannot be reached, times out, rejects the token or answers 5xx; ProxmoxRefusal for other errors
   */
  async request(method: Method, path: string, sent?: Sent): Promise<unknown> {
    const { status, text } = await this.send(method, path, sent).catch((error: unknown) => {
      throw error instanceof HostUnreachable ? error : new HostUnreachable(`${method} ${path}: ${String(error)}`);
    });
    const said = `${method} ${path}: ${status} ${text.slice(0, 500)}`;
    // Proxmox answers 500 for transient conditions such as locks; 401 and 403 pass when the operator fixes the token.
    if (status >= 500 || status === 401 || status === 403) throw new HostUnreachable(said, status);
    if (status < 200 || status >= 300) throw new ProxmoxRefusal(said, status);
    return dataOf(text);
  }

  /** @returns the response as an object */
  async get(path: string): Promise<Answer> {
    const answer = await this.request('GET', path);
    return typeof answer === 'object' && answer !== null ? { ...answer } : {};
  }

  /** @returns the id of the started task */
  async task(method: 'POST' | 'DELETE', path: string, sent?: Sent): Promise<string> {
    const answer = await this.request(method, path, sent ?? (method === 'POST' ? {} : undefined));
    if (typeof answer !== 'string') throw new Error(`${method} ${path} answers no task`);
    return answer;
  }

  private async send(method: Method, path: string, sent?: Sent): Promise<{ status: number; text: string }> {
    const { type, bytes } = formOf(sent);
    const isQuery = method === 'DELETE';
    const query = isQuery && bytes ? `?${bytes.toString()}` : '';
    const headers = {
      authorization: `PVEAPIToken=${this.config.token}`,
      accept: 'application/json',
      ...(bytes && !isQuery && { 'content-type': type, 'content-length': bytes.length }),
    };
    const url = `${this.config.url}/api2/json/${path}${query}`;
    const options = { method, headers, agent: this.agent, signal: AbortSignal.timeout(this.timeoutMs) };
    const answer = await responseOf(request(url, options).end(isQuery ? undefined : bytes));
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MAX_ANSWER_LENGTH) throw new HostUnreachable(`${method} ${path}: the answer is longer than is read`);
      chunks.push(chunk);
    }
    return { status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
  }
}

function formOf(sent: Sent | undefined): { readonly type: string; readonly bytes: Buffer | undefined } {
  const type = 'application/x-www-form-urlencoded';
  if (sent === undefined) return { type, bytes: undefined };
  if ('bytes' in sent && typeof sent.bytes === 'object') return sent as { type: string; bytes: Buffer };
  const fields = Object.entries(sent).map(([name, value]): [string, string] => [name, String(value)]);
  return { type, bytes: Buffer.from(new URLSearchParams(fields).toString()) };
}

function dataOf(text: string): unknown {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null && 'data' in answer) return answer.data;
  } catch {
    // Reported below.
  }
  throw new HostUnreachable(`an answer that is none of Proxmox VE: ${text.slice(0, 200)}`);
}

/** Connects only to a server with this certificate fingerprint, so that the token is sent to no other server. */
class PinnedAgent extends Agent {
  constructor(
    private readonly terms: { readonly fingerprint: string; readonly timeoutMs: number },
    options: ConstructorParameters<typeof Agent>[0],
  ) {
    super(options);
  }

  override createConnection(
    options: RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const { fingerprint, timeoutMs } = this.terms;
    const socket = connect({ ...(options as ConnectionOptions), rejectUnauthorized: false });
    // The signal of a request does not end a connection that is being made.
    const timer = setTimeout(() => socket.destroy(new Error(`no connection after ${timeoutMs} ms`)), timeoutMs);
    socket.once('close', () => clearTimeout(timer));
    socket.once('error', (error) => callback?.(error, socket));
    socket.once('secureConnect', () => {
      clearTimeout(timer);
      if (socket.getPeerCertificate().fingerprint256 === fingerprint) callback?.(null, socket);
      else socket.destroy(new Error('its certificate is not that of PROXMOX_FINGERPRINT'));
    });
    return undefined;
  }
}
