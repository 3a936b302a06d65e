import { resolve } from 'node:path';
import { openBackup, restore } from '../../kernel/backup/restore.js';
import { checkTarget } from '../../kernel/backup/target.js';
import { ConfigError } from '../../kernel/config/environment.js';
import { openEmbeddedPostgres } from '../../kernel/database/postgres/embedded.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { claimDataDirectory } from '../composition/data-directory.js';
import { printFailure } from '../composition/lifecycle.js';
import { readSettings, SUBGRAPHS } from '../composition/supergraph.js';

/** `npm run restore -- FOLDER`: restores a backup into an empty database and an empty data directory. */
async function main([folder, ...others]: readonly string[]): Promise<string> {
  if (folder === undefined || others.length > 0) throw new ConfigError('usage: npm run restore -- FOLDER');
  const config = readSettings(SUBGRAPHS);
  const log = openLog(config.logLevel, 'archipelago-restore');
  const backup = { folder: resolve(folder), config, subgraphs: SUBGRAPHS };
  const manifest = await openBackup(backup);
  await checkTarget(manifest, backup);
  const { databaseUrl: url, dataDir } = config;
  const embedded = url === undefined ? await openEmbeddedPostgres({ dataDir, log: () => undefined }) : undefined;
  const databaseUrl = embedded?.url ?? url ?? '';
  try {
    const release = await claimDataDirectory(databaseUrl, dataDir);
    try {
      await restore(manifest, { ...backup, databaseUrl, log });
    } finally {
      await release();
    }
    return `restored the backup of ${manifest.createdAt}: the ledger balances; row counts and hashes match`;
  } finally {
    await embedded?.stop();
  }
}

await main(process.argv.slice(2)).then((line) => process.stdout.write(`${line}\n`), printFailure);
