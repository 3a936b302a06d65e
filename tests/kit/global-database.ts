import { ensurePostgres } from './global-servers.js';

/** For suites that start platforms of their own. */
export default async function setUp(): Promise<void> {
  await ensurePostgres();
}
