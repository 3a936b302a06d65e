import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { Client } from 'pg';
import { GRAPH_OF_USER } from '../../subgraphs/network/topology/topology.actions.js';
import { percentile } from '../figures.js';
import type { Setting } from './setting.js';

const TIMES = 150;
const LIMIT_MS = 5_000;
const WARM_UP = 10;

/** How long an answer took, one after the other. */
export interface AnswerFigures {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly times: number;
  readonly bytes: number;
}

const agent = new Agent({ keepAlive: true });

/** The graph over REST, the 304, the statement that reads it, and a bare server that has the bytes in memory. */
export async function measureAnswers({ platform, bare, owner, databaseUrl }: Setting): Promise<AnswerFigures[]> {
  const path = '/api/network/topology/';
  const headers = { authorization: `Token ${owner.token}` };
  const first = await ask('GET', platform.url + path, { headers });
  const etag = String(first.headers.etag);
  await ask('PUT', `${bare.url}/kept`, { body: first.bytes });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  // Texts as they come: what is read out of them is no part of the statement.
  const statement = {
    ...GRAPH_OF_USER,
    values: [owner.userId],
    types: { getTypeParser: () => (text: string) => text },
  };
  const ways: Readonly<Record<string, () => Promise<number>>> = {
    'REST, the whole graph': async () => (await ask('GET', platform.url + path, { headers })).bytes.length,
    'REST, 304': async () => notModified(platform.url + path, { ...headers, 'if-none-match': etag }),
    'the statement alone': async () =>
      String(Object.values((await client.query<object>(statement)).rows[0] ?? {})).length,
    'bare node:http, the same bytes': async () => (await ask('GET', `${bare.url}/kept`, {})).bytes.length,
  };
  const figures: AnswerFigures[] = [];
  try {
    for (const [name, way] of Object.entries(ways)) figures.push(await timed(name, way));
  } finally {
    // Left open, its end with the database would hide what went wrong.
    await client.end();
  }
  return figures;
}

async function notModified(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { status, bytes } = await ask('GET', url, { headers });
  if (status !== 304) throw new Error(`${url} has not changed and is answered with ${status}`);
  return bytes.length;
}

async function timed(name: string, way: () => Promise<number>): Promise<AnswerFigures> {
  for (let i = 0; i < WARM_UP; i++) await way();
  const beginMs = performance.now();
  const ms: number[] = [];
  let bytes = 0;
  while (ms.length < TIMES && performance.now() - beginMs < LIMIT_MS) {
    const startMs = performance.now();
    bytes = await way();
    ms.push(performance.now() - startMs);
  }
  return { name, p50Ms: percentile(ms, 0.5), p99Ms: percentile(ms, 0.99), times: ms.length, bytes };
}

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** Sends a request and reads its answer. @throws when it is refused */
export async function ask(
  method: string,
  url: string,
  { headers = {}, body }: Asked,
): Promise<{ readonly status: number; readonly headers: IncomingMessage['headers']; readonly bytes: Buffer }> {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const begun = request(url, { method, agent, headers: { ...headers, ...length } });
  begun.end(body);
  const [response] = (await once(begun, 'response')) as [IncomingMessage];
  const bytes = Buffer.concat(await response.toArray());
  const status = response.statusCode ?? 500;
  if (status >= 400) throw new Error(`${method} ${url}: ${status} ${bytes.toString()}`);
  return { status, headers: response.headers, bytes };
}
