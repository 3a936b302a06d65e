import type { SubgraphName } from '../config/config.js';
import type { Logger } from './log.js';
import type { Trace } from './trace.js';

interface TraceOptions {
  /** Undefined: nobody is told, and nothing is loaded for it. */
  readonly url: string | undefined;
  /** Those in this process. */
  readonly subgraphs: readonly SubgraphName[];
  readonly log: Logger;
}

/** Opens the way to the collector, where there is one. */
export async function openTrace({ url, ...options }: TraceOptions): Promise<Trace | undefined> {
  if (url === undefined) return undefined;
  const { openOtlpTrace } = await import('./otlp-trace.js');
  return openOtlpTrace({ url, ...options });
}
