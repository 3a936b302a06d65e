import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import { TELL_ADMINISTRATORS } from '../../calls.js';
import type { Tables } from '../../entities.js';
import type { SyncRuntime } from '../../services.js';

/**
 * Notifies administrators of damaged chunks that they do not know of. The key is the time of the newest one, so a run that was
 * killed between the call and its record repeats the same notification, which accounts ignores.
 */
export async function notifyOfDamage({
  database,
  callSubgraph,
  now,
}: Pick<SyncRuntime, 'database' | 'callSubgraph' | 'now'>): Promise<void> {
  const [found] = await database.run(UNKNOWN_DAMAGE, {});
  if (!found?.newest) return;
  const { count, newest } = found;
  const notice = {
    key: `sync:damage:${newest.toISOString()}`,
    title: 'Stored chunks are damaged',
    text: `${count} stored ${count === 1 ? 'chunk is' : 'chunks are'} damaged, missing or unreadable. List them: archipelago admin storage damaged`,
  };
  await callSubgraph(TELL_ADMINISTRATORS, notice, randomUUID());
  await database.change((transaction) => transaction.run(SET_NOTIFIED, { now: now(), newest }));
}

const UNKNOWN_DAMAGE = query('sync-unknown-damage', (db: Tables) =>
  db
    .selectFrom('damagedChunk as d')
    .innerJoin('chunk as c', 'c.objectKey', 'd.objectKey')
    .select([
      sql<number>`count(*)::integer`.as('count'),
      sql<Date | null>`date_trunc('milliseconds', max(d.found_at))`.as('newest'),
    ])
    .where('d.notifiedAt', 'is', null),
);

const SET_NOTIFIED = query('set-damage-notified', (db: Tables, value: { now: Date; newest: Date }) =>
  db
    .updateTable('damagedChunk')
    .set({ notifiedAt: value.now })
    .where('notifiedAt', 'is', null)
    .where('foundAt', '<=', value.newest),
);
