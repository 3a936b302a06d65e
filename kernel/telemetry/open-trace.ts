import type { Config, SubgraphName } from '../config/config.js';
import type { Logger } from './log.js';
import type { Trace } from './trace.js';

interface TraceOptions {
  /** Without `tracesUrl` there is no tracing, and its packages are not loaded. */
  readonly config: Pick<Config, 'tracesUrl' | 'tracesHeaders' | 'tracesDelayMs'>;
  /** The subgraphs in this process. */
  readonly subgraphs: readonly SubgraphName[];
  readonly log: Logger;
}

/** Opens the connection to the collector if one is configured. */
export async function openTrace({ config, ...options }: TraceOptions): Promise<Trace | undefined> {
  const { tracesUrl: url, tracesHeaders: headers, tracesDelayMs: delayMs } = config;
  if (url === undefined) return undefined;
  const { openOtlpTrace } = await import('./otlp-trace.js');
  return openOtlpTrace({ url, headers, delayMs, ...options });
}
