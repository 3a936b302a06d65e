/** Stops the PostgreSQL that its setup started. */
export default async function tearDown(): Promise<void> {
  await globalThis.stopSharedPostgres?.();
}
