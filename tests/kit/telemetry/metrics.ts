import { SUBGRAPH_SECRET } from '../arrangements.js';
import { call, platform } from '../platform.js';

/** Reads /metrics of the process in which this subgraph runs; undefined: of the gateway. */
export async function metricsText(subgraph?: string): Promise<string> {
  const url = subgraph === undefined ? undefined : platform().subgraphUrls[subgraph];
  const headers = { 'x-subgraph-secret': SUBGRAPH_SECRET };
  const { status, text } = await call('GET /metrics', url === undefined ? {} : { url, headers });
  if (status !== 200) throw new Error(`/metrics answers ${status}: ${text}`);
  return text;
}

/** The sum of all series that begin like this; undefined if there is none. @param start e.g. `machines{` */
export function valueOf(text: string, start: string): number | undefined {
  const values = text
    .split('\n')
    .filter((line) => line.startsWith(start))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}
