import { randomUUID } from 'node:crypto';
import { TELL_ADMINISTRATORS } from '../../calls.js';
import type { SyncRuntime } from '../../services.js';

/**
 * Notifies administrators of damaged chunks that they do not know of. The key is the time of the newest one, so a run that was
 * killed between the call and its record repeats the same notification, which accounts ignores.
 */
export async function notifyOfDamage({
  database,
  ask,
  now,
}: Pick<SyncRuntime, 'database' | 'ask' | 'now'>): Promise<void> {
  const [found] = await database.rows<{ count: number; newest: Date | null }>(UNKNOWN_DAMAGE);
  if (!found?.newest) return;
  const { count, newest } = found;
  const notice = {
    key: `sync:damage:${newest.toISOString()}`,
    title: 'Stored chunks are damaged',
    text: `${count} stored ${count === 1 ? 'chunk is' : 'chunks are'} damaged or missing. The query adminStorageCheck lists them.`,
  };
  await ask(TELL_ADMINISTRATORS, notice, randomUUID());
  await database.change((transaction) =>
    transaction.execute('UPDATE sync.damaged_chunk SET notified_at = $1 WHERE notified_at IS NULL AND found_at <= $2', [
      now(),
      newest,
    ]),
  );
}

const UNKNOWN_DAMAGE = {
  name: 'sync-unknown-damage',
  text: `SELECT count(*)::integer AS count, date_trunc('milliseconds', max(d.found_at)) AS newest
           FROM sync.damaged_chunk d JOIN sync.chunk c USING (object_key) WHERE d.notified_at IS NULL`,
};
