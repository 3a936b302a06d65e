import { startFor } from './global-servers.js';
import { startOnDatabases } from './own-database.js';

/** For suites that speak to a platform whose subgraphs run apart. */
export default async function setUp(): Promise<void> {
  await startFor('behind HTTP', startOnDatabases);
}
