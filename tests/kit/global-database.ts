import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SUBGRAPH_NAMES } from '../../kernel/config.js';
import { openDatabase } from '../../kernel/database.js';
import { openLog } from '../../kernel/log.js';
import { openEmbeddedPostgres } from '../../kernel/postgres/embedded.js';
import { createDatabase } from './arrangements.js';
import { PRISTINE_DATABASE } from './own-database.js';

declare global {
  var stopSharedPostgres: (() => Promise<void>) | undefined;
}

/** Connections of as many platforms as run at once. */
const SETTINGS = { max_connections: '400' };

/** Starts the PostgreSQL that suites with platforms of their own share, with a migrated database to copy. */
export default async function setUp(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-shared-'));
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => undefined, settings: SETTINGS });
  globalThis.stopSharedPostgres = async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const url = await createDatabase(postgres.url, PRISTINE_DATABASE);
    const log = openLog('silent', 'tests');
    for (const schema of SUBGRAPH_NAMES) await (await openDatabase({ url, schema, log })).close();
    process.env.SHARED_POSTGRES = postgres.url;
  } catch (error) {
    await globalThis.stopSharedPostgres();
    throw error;
  }
}
