import { Pool } from 'pg';
import { measureCosts } from '../compare.js';
import type { Environment } from '../environment.js';
import type { Row } from '../report.js';
import { sendRequest } from '../send-request.js';
import { fillModels } from './dataset.js';
import { searchNaively, type SearchParameters } from './naive-model-search.js';

/** Searches with different costs. */
const SEARCHES: Readonly<Record<string, SearchParameters>> = {
  'newest first': {},
  'page 400': { page: 400 },
  'a rare word': { q: 'zanzibar' },
  'a common word': { q: 'llama' },
  'two letters': { q: 'll' },
  'of a format': { format: 'gguf' },
  'a word, format and parameters': { q: 'qwen', format: 'onnx', min_params: '30000000000' },
};

/** Measures searches of models over REST beside the simplest query without REST. Other peers would measure less. */
export async function measureModels(environment: Environment): Promise<Row[]> {
  const { platform, owner, databaseUrl, postgresPid, scale } = environment;
  const versions = await fillModels(databaseUrl, scale.repositories);
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  const headers = { authorization: `Token ${owner.token}` };
  const rows: Row[] = [];
  try {
    for (const [name, parameters] of Object.entries(SEARCHES)) {
      const words = Object.entries(parameters).map(([key, value]): [string, string] => [key, `${value}`]);
      const url = `${platform.url}/api/models/?${new URLSearchParams(words).toString()}`;
      const read = () => sendRequest('GET', url, { headers });
      const { total } = JSON.parse((await read()).bytes.toString()) as { readonly total: number };
      const expected = await searchNaively(pool, parameters);
      if (total !== expected) throw new Error(`${name}: ${total} matches, ${expected} naively`);
      const [ours, naive] = await measureCosts(
        [
          { pids: [platform.pid, postgresPid], request: read },
          { pids: [postgresPid], request: () => searchNaively(pool, parameters) },
        ],
        { ...scale, parallel: 1 },
      );
      const work = `REST, ${versions} models, ${name}, ${total} matches`;
      rows.push({ work, peer: 'the simplest query', unit: 'wall ms', ours: ours?.wallMs, theirs: naive?.wallMs });
    }
  } finally {
    await pool.end();
  }
  return rows;
}
