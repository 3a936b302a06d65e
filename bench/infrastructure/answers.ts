import { Pool } from 'pg';
import { sendRequest } from '../send-request.js';
import { measureLatency, type Latency } from '../timing.js';
import { SCALE } from './dataset.js';
import { searchNaively, type SearchParameters } from './naive.js';
import type { Environment } from './environment.js';

/** Latency of a REST list, of a bare server with the same bytes and, for searches, of the naive query. */
export interface AnswerFigures {
  readonly name: string;
  /** Matching models; undefined when this is not a search. */
  readonly matches: number | undefined;
  readonly bytes: number;
  readonly ours: Latency;
  readonly bare: Latency;
  readonly naive: Latency | undefined;
}

/** Searches with different costs. */
const SEARCHES: Readonly<Record<string, SearchParameters>> = {
  'models, newest first': {},
  'models, page 400': { page: 400 },
  'models, a rare word': { q: 'zanzibar' },
  'models, no such word': { q: 'quagmire' },
  'models, a common word': { q: 'llama' },
  'models, two letters': { q: 'll' },
  'models of a format': { format: 'gguf' },
  'models, a word, format and parameters': { q: 'qwen', format: 'onnx', min_params: '30000000000' },
};

/** Measures the lists of models and of machines, one after the other. */
export async function measureAnswers(
  environment: Environment,
  print: (figures: AnswerFigures) => void,
): Promise<AnswerFigures[]> {
  const pool = new Pool({ connectionString: environment.databaseUrl, max: 1 });
  const figures: AnswerFigures[] = [];
  const add = (measured: AnswerFigures) => {
    figures.push(measured);
    print(measured);
  };
  for (const [name, parameters] of Object.entries(SEARCHES)) {
    const query = new URLSearchParams(
      Object.entries(parameters).map(([key, value]): [string, string] => [key, `${value}`]),
    );
    const { response, bytes, ours, bare } = await measure(environment, `/api/models/?${query.toString()}`);
    const matches = (JSON.parse(response) as { readonly total: number }).total;
    const found = await searchNaively(pool, parameters);
    if (found !== matches) throw new Error(`${name}: ${matches} matches, ${found} naively`);
    add({ name, matches, bytes, ours, bare, naive: await measureLatency(() => searchNaively(pool, parameters)) });
  }
  await pool.end();
  for (const [name, path] of Object.entries(LISTS)) {
    const { bytes, ours, bare } = await measure(environment, path);
    add({ name, matches: undefined, bytes, ours, bare, naive: undefined });
  }
  return figures;
}

const LISTS: Readonly<Record<string, string>> = {
  'formats, architectures, quantizations': '/api/models/formats/',
  'versions of a model': '/api/models/team-178/zanzibar/',
  [`${SCALE.ownMachines} machines of a user`]: '/api/infrastructure/vm/instances/',
  flavors: '/api/infrastructure/vm/flavors/',
};

async function measure({ platform, bare, owner }: Environment, path: string) {
  const headers = { authorization: `Token ${owner.token}` };
  const read = async () => (await sendRequest('GET', platform.url + path, { headers })).bytes;
  const response = await read();
  await sendRequest('PUT', `${bare.url}/kept`, { body: response });
  const ours = await measureLatency(read);
  const baseline = await measureLatency(() => sendRequest('GET', `${bare.url}/kept`, {}));
  return { response: response.toString(), bytes: response.length, ours, bare: baseline };
}
