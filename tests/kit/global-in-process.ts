import { startFor } from './global-servers.js';
import { startOnDatabase } from './own-database.js';

/** For suites that speak to a platform in one process. */
export default async function setUp(): Promise<void> {
  await startFor('in process', startOnDatabase);
}
