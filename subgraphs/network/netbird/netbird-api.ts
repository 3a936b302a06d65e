import type { Logger } from '../../../kernel/log.js';
import type { NetbirdConfig } from '../../../kernel/network-config.js';
import { unavailable } from '../../../kernel/errors.js';
import { readPeer, type NetbirdPeer } from './found.rules.js';

/** The server answered and refused. */
export class NetbirdRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The server did not answer in time, or not as its API says. */
export class NetbirdSilence extends Error {}

/** Milliseconds that one answer may take. */
const TIME_LIMIT_MS = 5_000;

/** Most characters of a refusal that are kept. */
const LONGEST_REFUSAL = 300;

type Answer = Readonly<Record<string, unknown>>;

/** NetBird's management API. Source: NetBird REST API 0.0.1 (openapi.yml). Errors never show the token. */
export class NetbirdApi {
  constructor(readonly config: NetbirdConfig) {}

  /** @throws NetbirdRefusal, NetbirdSilence */
  async list(path: string): Promise<Answer[]> {
    const answer = await this.send('GET', path);
    if (!Array.isArray(answer)) throw new NetbirdSilence(`GET ${path}: the answer is no list`);
    return answer as Answer[];
  }

  /** Creates or replaces an object. Returns it as the server keeps it. @throws NetbirdRefusal, NetbirdSilence */
  async write(method: 'POST' | 'PUT', path: string, body: object): Promise<Answer & { readonly id: string }> {
    const answer = (await this.send(method, path, body)) as Answer | undefined;
    if (typeof answer?.id !== 'string') throw new NetbirdSilence(`${method} ${path}: the answer has no id`);
    return { ...answer, id: answer.id };
  }

  /** Deletes an object; one that is gone is deleted. @throws NetbirdRefusal, NetbirdSilence */
  async remove(path: string): Promise<void> {
    try {
      await this.send('DELETE', path);
    } catch (error) {
      if (!(error instanceof NetbirdRefusal && error.status === 404)) throw error;
    }
  }

  /** All machines that joined. */
  async peers(): Promise<NetbirdPeer[]> {
    return (await this.list('/api/peers')).map(readPeer);
  }

  private async send(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(this.config.url + path, {
      method,
      redirect: 'error',
      headers: {
        authorization: `Token ${this.config.token}`,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    }).catch((error: unknown) => {
      throw new NetbirdSilence(`${method} ${path}: NetBird does not answer (${nameOf(error)})`);
    });
    const answer = await response.json().catch(() => undefined);
    if (response.ok) return answer;
    const message = `${method} ${path}: NetBird answers ${response.status} ${wordsOf(answer)}`;
    // Who cannot answer now, or does not know our token, refuses everything: no fault of what was sent.
    if (response.status >= 500 || [401, 403, 408, 429].includes(response.status)) throw new NetbirdSilence(message);
    throw new NetbirdRefusal(response.status, message);
  }
}

/** What a caller is told when NetBird fails: UNAVAILABLE; the log has the reason. */
export function netbirdUnavailable(error: unknown, log: Logger): Error {
  if (!(error instanceof NetbirdSilence || error instanceof NetbirdRefusal)) throw error;
  log.warn({ reason: error.message }, 'NetBird did not do what it was asked');
  return unavailable('The network’s management server cannot be reached; try again in a minute.');
}

function wordsOf(answer: unknown): string {
  const message = typeof answer === 'object' && answer !== null && 'message' in answer ? answer.message : '';
  return String(message).slice(0, LONGEST_REFUSAL);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
