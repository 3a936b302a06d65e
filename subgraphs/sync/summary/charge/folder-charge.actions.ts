import { sql } from 'kysely';
import { batched } from '../../../../kernel/concurrency/batched.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { Tables } from '../../entities.js';
import type { FolderCharge } from './folder-charge.js';
import { dayCost } from '../../usage/quota.rules.js';

const CHARGES_OF_FOLDERS = query(
  'charges-of-folders',
  (db: Tables, value: { address: string; ids: readonly string[] }) =>
    db
      .selectFrom('folderPeriod as share')
      .innerJoin('folder', 'folder.id', 'share.folderId')
      .innerJoin('owner', 'owner.id', 'folder.ownerId')
      .innerJoin('storagePeriod as p', (on) =>
        on.onRef('p.ownerId', '=', 'folder.ownerId').onRef('p.day', '=', 'share.day'),
      )
      .select(['share.folderId', sql<string>`share.day::text`.as('day'), 'share.storedBytes'])
      .select(sql<string>`p.credits_per_gib_month`.as('price'))
      .where('owner.address', '=', value.address)
      .where('share.folderId', '=', anyOf(value.ids))
      .where('p.state', '=', sql.lit('recorded'))
      .where('p.creditsPerGibMonth', 'is not', null)
      .orderBy('share.day', 'desc'),
);

/** The charges of one of the viewer's folders, latest day first. */
export const chargesOfFolder = batched(async ({ viewer, database }: Context, ids: readonly string[]) => {
  if (viewer.kind !== 'user' || viewer.substrateAddress === null) return [];
  const rows = await database.run(CHARGES_OF_FOLDERS, { address: viewer.substrateAddress, ids });
  const found = new Map(ids.map((id): [string, FolderCharge[]] => [id, []]));
  for (const { folderId, day, storedBytes, price } of rows)
    found.get(folderId)?.push({ day, storedBytes, credits: dayCost(price, storedBytes, day) ?? '0' });
  return ids.map((id) => found.get(id));
});
