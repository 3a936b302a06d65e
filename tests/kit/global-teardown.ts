/** Stops what the setup started. */
export default async function tearDown(): Promise<void> {
  await globalThis.stopPlatforms?.();
}
