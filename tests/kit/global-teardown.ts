import { stopAll } from './global-servers.js';

/** Stops what the setups started. */
export default async function tearDown(): Promise<void> {
  await stopAll();
}
