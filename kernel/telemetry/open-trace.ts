import type { SubgraphName } from '../config/config.js';
import type { Logger } from './log.js';
import type { Trace } from './trace.js';

interface TraceOptions {
  /** Undefined: no tracing, and its packages are not loaded. */
  readonly url: string | undefined;
  /** The subgraphs in this process. */
  readonly subgraphs: readonly SubgraphName[];
  readonly log: Logger;
}

/** Opens the connection to the collector if one is configured. */
export async function openTrace({ url, ...options }: TraceOptions): Promise<Trace | undefined> {
  if (url === undefined) return undefined;
  const { openOtlpTrace } = await import('./otlp-trace.js');
  return openOtlpTrace({ url, ...options });
}
