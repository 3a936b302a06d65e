import { startFor } from './global-servers.js';
import { startOnDatabases } from './own-database.js';

/** Setup for suites with one process per subgraph. */
export default async function setUp(): Promise<void> {
  await startFor('behind HTTP', startOnDatabases);
}
