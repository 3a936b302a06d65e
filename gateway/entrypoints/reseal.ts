import { ConfigError } from '../../kernel/config/environment.js';
import { connectDatabase } from '../../kernel/database/database.js';
import { openExistingDatabase } from '../../kernel/database/postgres/embedded.js';
import { releaseDataKeys } from '../../kernel/security/data-key.actions.js';
import { openSecretBox, readKeyFile } from '../../kernel/security/secret-box.js';
import { resealSecrets, type Resealed } from '../../kernel/security/stored-secrets.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { printFailure } from '../composition/lifecycle.js';
import { manifestOf, readSettings, SUBGRAPHS } from '../composition/supergraph.js';

/**
 * `npm run secrets:reseal [-- SUBGRAPH…]`: encrypts the stored secrets by the first key of DATA_KEY, also while the platform
 * runs. Afterwards the other keys can be removed.
 */
async function main(names: readonly string[]): Promise<string> {
  const config = readSettings(SUBGRAPHS);
  const subgraphs = names.length > 0 ? names.map(manifestOf) : SUBGRAPHS;
  const log = openLog(config.logLevel, 'archipelago-reseal');
  const server = await openExistingDatabase(config);
  const results: Resealed[] = [];
  try {
    // Opening the box would create a key.
    if (config.dataKeys.length === 0 && !(await readKeyFile(config.dataDir)))
      throw new ConfigError(`There is no data-key in ${config.dataDir}: set DATA_DIR or DATA_KEY.`);
    const secretBox = await openSecretBox(config);
    for (const { name, secrets = [] } of subgraphs) {
      const database = connectDatabase({ url: server.url, schema: name, log });
      const own: Resealed[] = [];
      for (const column of secrets) own.push(await resealSecrets(database, secretBox, column));
      if (own.length > 0 && own.every(({ unreadable }) => unreadable === 0)) await releaseDataKeys(database, config);
      results.push(...own);
      await database.close();
    }
  } finally {
    await server.stop();
  }
  const sum = (figure: keyof Resealed) => results.reduce((total, result) => total + result[figure], 0);
  if (sum('unreadable') > 0)
    throw new ConfigError(
      `${sum('resealed')} secrets were encrypted again, but ${sum('unreadable')} by none of the keys: add theirs to DATA_KEY, and do not remove a key.`,
    );
  return `${sum('resealed')} secrets were encrypted again; all are encrypted by the first key now`;
}

await main(process.argv.slice(2)).then((line) => process.stdout.write(`${line}\n`), printFailure);
