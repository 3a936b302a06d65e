/**
 * Runs the work for each tenant, one after the other. A failure of one, e.g. because its row is locked, does not stop the
 * others. @throws the first failure, after the last tenant
 */
export async function forEachTenant(
  tenantIds: readonly number[],
  work: (tenantId: number) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const id of tenantIds) await work(id).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
