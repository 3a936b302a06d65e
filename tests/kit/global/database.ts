import { ensurePostgres } from './servers.js';

/** Setup for suites that start their own platforms. */
export default async function setUp(): Promise<void> {
  await ensurePostgres();
}
