import { readConfig } from '../../../../kernel/config/config.js';
import { ConfigError } from '../../../../kernel/config/environment.js';
import { connectDatabase } from '../../../../kernel/database/database.js';
import { openLog } from '../../../../kernel/telemetry/log.js';
import { openExistingDatabase } from '../../../../kernel/database/postgres/embedded.js';
import { proveLedger } from './ledger-proof.actions.js';
import type { LedgerProof } from './ledger-proof.js';

/** `npm run ledger:prove`: checks the ledger, also of a running platform; exits with 1 if it does not balance. */
async function prove(): Promise<LedgerProof> {
  const config = readConfig({});
  const server = await openExistingDatabase(config);
  const log = openLog(config.logLevel, 'archipelago-proof');
  const database = connectDatabase({ url: server.url, schema: 'accounts', log });
  try {
    return await proveLedger(database, new Date());
  } catch (error) {
    throw hasNoLedger(error) ? new ConfigError(NO_LEDGER) : error;
  } finally {
    await database.close();
    await server.stop();
  }
}

const NO_LEDGER =
  'The database has no ledger: set DATABASE_URL or DATA_DIR to those of the platform, and start it once.';

/** Whether a statement failed because a table or its schema does not exist: 42P01 undefined_table, 3F000 invalid_schema_name. */
function hasNoLedger(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['42P01', '3F000'].includes(String(error.code));
}

function report({ holds, figures, differences }: LedgerProof): string {
  const lines = Object.entries(figures).map(([name, figure]) => `${name.padEnd(10)} ${String(figure)}`);
  const faults = differences.map(({ of, figure, kept, added }) => `${of}: ${figure} is ${kept}, adds up to ${added}`);
  return [...lines, holds ? 'the ledger holds' : 'the ledger does not hold', ...faults, ''].join('\n');
}

try {
  const proof = await prove();
  process.stdout.write(report(proof));
  process.exitCode = proof.holds ? 0 : 1;
} catch (error) {
  const isForOperator = error instanceof ConfigError;
  process.stderr.write(`${isForOperator ? error.message : `the ledger cannot be added up: ${String(error)}`}\n`);
  process.exitCode = 1;
}
