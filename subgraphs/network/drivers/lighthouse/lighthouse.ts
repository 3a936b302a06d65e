import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '../../../../kernel/config/config.js';
import { connectDatabase } from '../../../../kernel/database/database.js';
import { ConfigError } from '../../../../kernel/config/environment.js';
import { openLog } from '../../../../kernel/telemetry/log.js';
import { openExistingDatabase } from '../../../../kernel/database/postgres/embedded.js';
import { openSecretBox } from '../../../../kernel/security/secret-box.js';
import { networkConfig } from '../../config.js';
import { TenantLighthouses } from './tenant-lighthouses.js';

/** Milliseconds between two polls of the database. */
const POLL_INTERVAL_MS = 1_000;

/** `npm run lighthouse`: runs the lighthouses of all private networks until it is stopped. */
async function runLighthouses(stopped: AbortSignal): Promise<void> {
  const config = readConfig({ network: networkConfig });
  const embedded = await openExistingDatabase(config);
  const log = openLog(config.logLevel, 'archipelago-lighthouse');
  const database = connectDatabase({ url: embedded.url, schema: 'network', log });
  const secretBox = await openSecretBox(config);
  const directory = join(config.dataDir, 'lighthouse');
  const lighthouses = new TenantLighthouses({ database, secretBox, log, directory, settings: config.network });
  const update = async () => {
    await lighthouses.serve(new Date());
    await writeFile(join(directory, 'updated'), ''); // scripts/healthy.js reads its time
  };
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await update();
    process.stdout.write(`ready, from UDP port ${config.network.lighthousePort} up\n`);
    while (!stopped.aborted) {
      await delay(POLL_INTERVAL_MS, undefined, { signal: stopped }).catch(() => undefined);
      // Running lighthouses continue while the database is unavailable.
      if (!stopped.aborted)
        await update().catch((error: unknown) => log.error({ err: error }, 'the networks could not be updated'));
    }
  } finally {
    await lighthouses.stop();
    await database.close();
    await embedded.stop();
  }
}

const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
try {
  await runLighthouses(stop.signal);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`);
  process.exit(1);
}
