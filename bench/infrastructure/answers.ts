import { Pool } from 'pg';
import { ask } from '../asking.js';
import { timed, type Timed } from '../timing.js';
import { SCALE } from './dataset.js';
import { listNaively, type Asked } from './naive.js';
import type { Setting } from './setting.js';

/** How long a list takes over REST, against a bare server with the same bytes and, for searches, the naive query. */
export interface AnswerFigures {
  readonly name: string;
  /** Models that match; undefined where it is no search. */
  readonly matches: number | undefined;
  readonly bytes: number;
  readonly ours: Timed;
  readonly bare: Timed;
  readonly naive: Timed | undefined;
}

/** Searches that cost different things. */
const SEARCHES: Readonly<Record<string, Asked>> = {
  'models, newest first': {},
  'models, page 400': { page: 400 },
  'models, a rare word': { q: 'zanzibar' },
  'models, no such word': { q: 'quagmire' },
  'models, a usual word': { q: 'llama' },
  'models, two letters': { q: 'll' },
  'models of a format': { format: 'gguf' },
  'models, a word, format and parameters': { q: 'qwen', format: 'onnx', min_params: '30000000000' },
};

/** Lists of models and of machines, one after the other. */
export async function measureAnswers(
  setting: Setting,
  tell: (figures: AnswerFigures) => void,
): Promise<AnswerFigures[]> {
  const pool = new Pool({ connectionString: setting.databaseUrl, max: 1 });
  const figures: AnswerFigures[] = [];
  const add = (measured: AnswerFigures) => {
    figures.push(measured);
    tell(measured);
  };
  for (const [name, asked] of Object.entries(SEARCHES)) {
    const query = new URLSearchParams(Object.entries(asked).map(([key, value]): [string, string] => [key, `${value}`]));
    const { answer, bytes, ours, bare } = await measure(setting, `/api/models/?${query.toString()}`);
    const matches = (JSON.parse(answer) as { readonly total: number }).total;
    const found = await listNaively(pool, asked);
    if (found !== matches) throw new Error(`${name}: ${matches} matches, ${found} naively`);
    add({ name, matches, bytes, ours, bare, naive: await timed(() => listNaively(pool, asked)) });
  }
  await pool.end();
  for (const [name, path] of Object.entries(LISTS)) {
    const { bytes, ours, bare } = await measure(setting, path);
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

async function measure({ platform, bare, owner }: Setting, path: string) {
  const headers = { authorization: `Token ${owner.token}` };
  const read = async () => (await ask('GET', platform.url + path, { headers })).bytes;
  const answer = await read();
  await ask('PUT', `${bare.url}/kept`, { body: answer });
  const ours = await timed(read);
  const floor = await timed(() => ask('GET', `${bare.url}/kept`, {}));
  return { answer: answer.toString(), bytes: answer.length, ours, bare: floor };
}
