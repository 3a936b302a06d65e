import { openEmbeddedPostgres } from '../../kernel/postgres/embedded.js';
import { startBehindHttp, startInProcess, type RunningPlatform } from './arrangements.js';

declare global {
  var stopPlatforms: (() => Promise<void>) | undefined;
}

/** Starts both arrangements once for all suites; each test brings users of its own. */
export default async function setUp(): Promise<void> {
  const inProcess = await startInProcess();
  const postgres = await openEmbeddedPostgres({ dataDir: inProcess.dataDir, log: () => undefined });
  const behindHttp = await startBehindHttp(postgres.url);
  process.env.PLATFORMS_UNDER_TEST = JSON.stringify({
    'in process': facts(inProcess),
    'behind HTTP': facts(behindHttp),
  });
  globalThis.stopPlatforms = async () => {
    await behindHttp.stop();
    await postgres.stop();
    await inProcess.stop();
  };
}

function facts({ url, subgraphUrls }: RunningPlatform): object {
  return { url, subgraphUrls };
}
