import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging/paging.js';
import type { Tables } from '../../entities.js';
import type { SubstrateAddress, SubstrateAddressPage } from './substrate-address.js';

const OF_USER = query('substrate-address-of-user', (db: Tables, value: { userId: number }) =>
  db
    .selectFrom('user')
    .select((eb) => [
      eb.ref('substrateAddress').$notNull().as('id'),
      eb.ref('substrateAddress').$notNull().as('address'),
      'substrateProved as isVerified',
      'createdAt',
    ])
    .where('id', '=', value.userId)
    .where('substrateAddress', 'is not', null),
);

/** A page of the user's addresses that contain the text. */
export async function listAddresses(
  database: Database,
  userId: number,
  { search, ...request }: PageRequest & { readonly search: string },
): Promise<SubstrateAddressPage> {
  const [own] = await database.run(OF_USER, { userId });
  const found = own?.address.toLowerCase().includes(search.toLowerCase()) ? [own] : [];
  const results = found.slice(offsetOf(request), offsetOf(request) + request.pageSize);
  return { ...request, count: found.length, results, ss58Address: own?.address ?? null };
}

/** The user's address with this id. @throws NOT_FOUND also for addresses of other users */
export async function findAddress(database: Database, userId: number, id: string): Promise<SubstrateAddress> {
  const [own] = await database.run(OF_USER, { userId });
  if (own?.id !== id) throw notFound('You have no such SS58 address.');
  return own;
}
