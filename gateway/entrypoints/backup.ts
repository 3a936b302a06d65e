import { resolve } from 'node:path';
import { backUp } from '../../kernel/backup/backup.js';
import { ConfigError } from '../../kernel/config/environment.js';
import { openExistingDatabase } from '../../kernel/database/postgres/embedded.js';
import { printFailure } from '../composition/lifecycle.js';
import { readSettings, SUBGRAPHS } from '../composition/supergraph.js';
import { parseArguments } from '../composition/arguments.js';

const USAGE = 'usage: npm run backup -- FOLDER [--without-keys]';

/** `npm run backup -- FOLDER [--without-keys]`: backs up a platform, also while it runs. */
async function main(): Promise<string> {
  const { positionals, values } = parseArguments(USAGE, {
    allowPositionals: true,
    options: { 'without-keys': { type: 'boolean' } },
  });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new ConfigError(USAGE);
  const config = readSettings(SUBGRAPHS);
  const server = await openExistingDatabase(config);
  try {
    const options = { folder: resolve(folder), config, databaseUrl: server.url, subgraphs: SUBGRAPHS };
    const withKeys = values['without-keys'] !== true;
    const { tables, objects, keys } = await backUp({ ...options, withKeys });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const count = objects.reduce((sum, list) => sum + list.count, 0);
    const secrets = keys.length > 0 ? 'It has the keys of DATA_DIR: keep it secret.' : 'It has no keys.';
    return `backed up ${rows} rows and ${count} objects to ${folder}. ${secrets}`;
  } finally {
    await server.stop();
  }
}

await main().then((line) => process.stdout.write(`${line}\n`), printFailure);
