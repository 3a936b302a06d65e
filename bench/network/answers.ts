import { Client } from 'pg';
import { QueryCompiler } from '../../kernel/database/query.js';
import { GRAPH_OF_USER } from '../../subgraphs/network/topology/topology/topology.actions.js';
import { ask } from '../asking.js';
import { timed, type Timed } from '../timing.js';
import type { Setting } from './setting.js';

/** How long an answer took, one after the other. */
export interface AnswerFigures extends Timed {
  readonly name: string;
  readonly bytes: number;
}

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
    ...new QueryCompiler('network').prepare(GRAPH_OF_USER, { id: owner.userId }),
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
    for (const [name, way] of Object.entries(ways)) figures.push(await measured(name, way));
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

async function measured(name: string, way: () => Promise<number>): Promise<AnswerFigures> {
  const bytes = await way();
  return { name, bytes, ...(await timed(way)) };
}
