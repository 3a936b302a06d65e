import { stopAll } from './servers.js';

/** Stops all servers of the setups. */
export default async function tearDown(): Promise<void> {
  await stopAll();
}
