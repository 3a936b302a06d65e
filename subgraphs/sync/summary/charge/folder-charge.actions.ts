import { sql } from 'kysely';
import { batched } from '../../../../kernel/concurrency/batched.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { Tables } from '../../entities.js';
import type { FolderCharge } from './folder-charge.js';
import { dayCost } from '../../usage/quota.rules.js';
import { chargedDay } from '../../usage/usage.rules.js';

const chargedShares = (db: Tables, address: string) =>
  db
    .selectFrom('folderPeriod as share')
    .innerJoin('owner', 'owner.id', 'share.ownerId')
    .innerJoin('storagePeriod as p', (on) =>
      on.onRef('p.ownerId', '=', 'share.ownerId').onRef('p.day', '=', 'share.day'),
    )
    .select(['share.folderId', sql<string>`share.day::text`.as('day'), 'share.storedBytes'])
    .select(sql<string>`p.credits_per_gib_month`.as('price'))
    .where('owner.address', '=', address)
    .where('p.state', '=', sql.lit('recorded'))
    .where('p.creditsPerGibMonth', 'is not', null);

const CHARGES_OF_FOLDERS = query(
  'charges-of-folders',
  (db: Tables, value: { address: string; ids: readonly string[] }) =>
    chargedShares(db, value.address).where('share.folderId', '=', anyOf(value.ids)).orderBy('share.day', 'desc'),
);

const FOLDERS_OF_CHARGES = query(
  'folders-of-charges',
  (db: Tables, value: { address: string; days: readonly string[] }) =>
    chargedShares(db, value.address)
      .where('share.day', '=', anyOf(value.days))
      .orderBy('share.storedBytes', 'desc')
      .orderBy('share.folderId'),
);

interface ChargedShare {
  readonly folderId: string;
  readonly day: string;
  readonly storedBytes: string;
  readonly price: string;
}

/** The shares by folder or by day, in their order. */
function sharesBy(key: 'folderId' | 'day', rows: readonly ChargedShare[]): Map<string, FolderCharge[]> {
  const found = new Map<string, FolderCharge[]>(rows.map((row) => [row[key], []]));
  for (const { price, ...share } of rows)
    found.get(share[key])?.push({ ...share, credits: dayCost(price, share.storedBytes, share.day) ?? '0' });
  return found;
}

/** The charges of one of the viewer's folders, latest day first. */
export const chargesOfFolder = batched(async ({ viewer, database }: Context, ids: readonly string[]) => {
  if (viewer.kind !== 'user' || viewer.substrateAddress === null) return [];
  const rows = await database.run(CHARGES_OF_FOLDERS, { address: viewer.substrateAddress, ids });
  const found = sharesBy('folderId', rows);
  return ids.map((id) => found.get(id));
});

/** The shares of the viewer's folders in a charge, largest first. */
export const foldersOfCharge = batched(async ({ viewer, database }: Context, ids: readonly string[]) => {
  if (viewer.kind !== 'user' || viewer.substrateAddress === null) return [];
  const address = viewer.substrateAddress;
  const charged = ids.map(chargedDay);
  const days = charged.flatMap((charge) => (charge?.address === address ? [charge.day] : []));
  const rows = await database.run(FOLDERS_OF_CHARGES, { address, days });
  const found = sharesBy('day', rows);
  return charged.map((charge) => (charge?.address === address ? found.get(charge.day) : undefined));
});
