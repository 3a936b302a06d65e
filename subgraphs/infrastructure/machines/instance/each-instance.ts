import type { Query } from '../../../../kernel/database/query.js';
import type { OwnedRow } from '../../owned-row.rules.js';
import type { InfrastructureRuntime } from '../../services.js';

/** Machines handled concurrently. */
const CONCURRENCY = 8;

/** Runs the work for each machine. A failure is logged and left to the next run. */
export async function forEachInstance(
  { database, log }: InfrastructureRuntime,
  statement: Query<{ after: number }, OwnedRow>,
  work: (instance: OwnedRow) => Promise<void>,
): Promise<void> {
  for (let after = 0; ;) {
    const rows = await database.run(statement, { after });
    const waiting = [...rows];
    const worker = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const instance = next;
        await work(instance).catch((error: unknown) =>
          log.error({ err: error, machine: instance.id }, 'a virtual machine could not be processed'),
        );
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
