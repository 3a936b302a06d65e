import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';

interface ChangeKey {
  readonly tenantId: number;
  readonly revision: number;
}

interface NewChange extends ChangeKey {
  readonly userId: number;
  readonly tokenId: string | null;
  readonly now: Date;
}

const BEGIN_CHANGE = query('begin-change', (db: Tables, { tenantId, revision, userId, tokenId, now }: NewChange) =>
  db
    .with('begun', (part) =>
      part.insertInto('change').values({ tenantId, revision, userId, tokenId, at: now }).returning('id'),
    )
    .selectFrom('begun')
    .select(sql<string>`set_config('network.change', id::text, true)`.as('id')),
);

/** Begins a change in the history, to which triggers add the rows that the transaction changes from now on. */
export async function beginChange(transaction: Transaction, change: NewChange): Promise<void> {
  await transaction.run(BEGIN_CHANGE, change);
}

const DELETE_EMPTY_CHANGE = query(
  'delete-empty-change',
  (_: Tables, value: ChangeKey) => sql`
    DELETE FROM network.change c WHERE c.tenant_id = ${value.tenantId} AND c.revision = ${value.revision}
       AND NOT EXISTS (SELECT FROM network.change_item i WHERE i.tenant_id = c.tenant_id AND i.change_id = c.id)`,
);

/** Maximum changes in the history of a tenant. */
const MAX_CHANGES = 1_000;

/** Old changes that one change deletes, so that it stays short where the history is longer. */
const DELETED_AT_ONCE = 100;

// An undo refers to the change that it undoes: both are deleted together. Changes wait until their owner is notified of them.
const DELETE_OLD_CHANGES = query(
  'delete-old-changes',
  (_: Tables, { tenantId }: Pick<ChangeKey, 'tenantId'>) => sql`
    WITH kept AS (SELECT revision FROM network.change WHERE tenant_id = ${tenantId}
                   ORDER BY revision DESC OFFSET ${sql.lit(MAX_CHANGES - 1)} LIMIT 1),
         old AS (SELECT c.id FROM network.change c
                  WHERE c.tenant_id = ${tenantId} AND c.revision < (SELECT revision FROM kept) AND c.undoes IS NULL AND c.is_notified
                    AND NOT EXISTS (SELECT FROM network.change u WHERE u.tenant_id = ${tenantId} AND u.undoes = c.id
                                       AND (u.revision >= (SELECT revision FROM kept) OR NOT u.is_notified))
                  ORDER BY c.revision LIMIT ${sql.lit(DELETED_AT_ONCE)})
    DELETE FROM network.change d USING old WHERE d.tenant_id = ${tenantId} AND (d.id = old.id OR d.undoes = old.id)`,
);

/** Ends a change: it is removed if it changed no row, and so are the oldest changes above the limit. */
export async function endChange(transaction: Transaction, change: ChangeKey): Promise<void> {
  await transaction.run(DELETE_EMPTY_CHANGE, change);
  await transaction.run(DELETE_OLD_CHANGES, { tenantId: change.tenantId });
}
