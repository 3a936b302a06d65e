import { ConfigError } from '../../kernel/config/environment.js';
import { openExistingDatabase } from '../../kernel/database/postgres/embedded.js';
import { migrateSchema } from '../../kernel/database/migrations.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { printFailure } from '../composition/lifecycle.js';
import { readSettings, SUBGRAPHS } from '../composition/supergraph.js';

/** `npm run migrate`: migrates the schemas of all subgraphs in one database, e.g. before processes of a new version start. */
async function main(words: readonly string[]): Promise<string> {
  if (words.length > 0) throw new ConfigError('usage: npm run migrate');
  const config = readSettings(SUBGRAPHS);
  const log = openLog(config.logLevel, 'archipelago-migrate');
  const database = await openExistingDatabase(config);
  try {
    for (const { name } of SUBGRAPHS) await migrateSchema({ url: database.url, schema: name, log });
    return 'the database has the schemas of this version';
  } finally {
    await database.stop();
  }
}

await main(process.argv.slice(2)).then((line) => process.stdout.write(`${line}\n`), printFailure);
