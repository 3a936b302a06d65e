import { startFor } from './servers.js';
import { startOnDatabase } from '../database/own-database.js';

/** Setup for suites with a platform in one process. */
export default async function setUp(): Promise<void> {
  await startFor('in process', startOnDatabase);
}
