import { openEmbeddedPostgres } from '../../kernel/postgres/embedded.js';
import { startIssuers } from './issuer.js';
import { REGISTRY_TOKEN, startRegistry } from './registry.js';
import { startBehindHttp, startInProcess, type RunningPlatform } from './arrangements.js';

declare global {
  var stopPlatforms: (() => Promise<void>) | undefined;
}

/** Starts both arrangements once for all suites; each test brings users of its own. */
export default async function setUp(): Promise<void> {
  const started: { stop(): Promise<unknown> }[] = [];
  globalThis.stopPlatforms = async () => {
    for (const running of started.toReversed()) await running.stop();
  };
  try {
    const issuers = await startIssuers();
    started.push(issuers);
    const registry = await startRegistry();
    started.push(registry);
    const env = { ...issuers.env, REGISTRY_URL: registry.url, REGISTRY_TOKEN };
    process.env.REGISTRY_UNDER_TEST = registry.url;
    const inProcess = await startInProcess(env);
    started.push(inProcess);
    const postgres = await openEmbeddedPostgres({ dataDir: inProcess.dataDir, log: () => undefined });
    started.push(postgres);
    const behindHttp = await startBehindHttp(postgres.url, env);
    started.push(behindHttp);
    process.env.PLATFORMS_UNDER_TEST = JSON.stringify({
      'in process': facts(inProcess),
      'behind HTTP': facts(behindHttp),
    });
  } catch (error) {
    await globalThis.stopPlatforms();
    throw error;
  }
}

function facts({ url, subgraphUrls }: RunningPlatform): object {
  return { url, subgraphUrls };
}
