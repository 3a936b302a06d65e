import { startFor } from './servers.js';
import { startOnDatabases } from '../database/own-database.js';

/** Setup for suites with one process per subgraph. */
export default async function setUp(): Promise<void> {
  await startFor('behind HTTP', startOnDatabases);
}
