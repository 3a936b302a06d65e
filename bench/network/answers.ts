import { Client } from 'pg';
import { QueryCompiler } from '../../kernel/database/query.js';
import { GRAPH_OF_USER } from '../../subgraphs/network/views/topology/topology.actions.js';
import { sendRequest } from '../send-request.js';
import { measureLatency, type Latency } from '../timing.js';
import type { Environment } from './environment.js';

/** Latency and size of one kind of response. */
export interface AnswerFigures extends Latency {
  readonly name: string;
  readonly bytes: number;
}

/** Measures the graph over REST, its 304, its SQL statement, and a bare server that has the bytes in memory. */
export async function measureAnswers({ platform, bare, owner, databaseUrl }: Environment): Promise<AnswerFigures[]> {
  const path = '/api/network/topology/';
  const headers = { authorization: `Token ${owner.token}` };
  const first = await sendRequest('GET', platform.url + path, { headers });
  const etag = String(first.headers.etag);
  await sendRequest('PUT', `${bare.url}/kept`, { body: first.bytes });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  // Values stay text: parsing is not part of the statement.
  const statement = {
    ...new QueryCompiler('network').prepare(GRAPH_OF_USER, { id: owner.userId }),
    types: { getTypeParser: () => (text: string) => text },
  };
  const cases: Readonly<Record<string, () => Promise<number>>> = {
    'REST, the whole graph': async () => (await sendRequest('GET', platform.url + path, { headers })).bytes.length,
    'REST, 304': async () => notModified(platform.url + path, { ...headers, 'if-none-match': etag }),
    'the statement alone': async () =>
      String(Object.values((await client.query<object>(statement)).rows[0] ?? {})).length,
    'bare node:http, the same bytes': async () => (await sendRequest('GET', `${bare.url}/kept`, {})).bytes.length,
  };
  const figures: AnswerFigures[] = [];
  try {
    for (const [name, work] of Object.entries(cases)) figures.push(await measure(name, work));
  } finally {
    // An open client would fail when the database stops and hide the first error.
    await client.end();
  }
  return figures;
}

async function notModified(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { status, bytes } = await sendRequest('GET', url, { headers });
  if (status !== 304) throw new Error(`${url} has not changed, but the status is ${status}`);
  return bytes.length;
}

async function measure(name: string, work: () => Promise<number>): Promise<AnswerFigures> {
  const bytes = await work();
  return { name, bytes, ...(await measureLatency(work)) };
}
