import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging/paging.js';
import type { Tables } from '../../entities.js';
import { fromBaseUnits, TOKEN_DECIMALS } from '../chain/token.rules.js';
import type { DepositAddressPage } from './deposit.js';

/** Only the deposits that received a payment, if asked. */
const isPaidIf = (isPaid: boolean) => sql<boolean>`(NOT ${isPaid} OR d.received > 0)`;

const ADDRESSES = query('deposit-addresses', (db: Tables, value: { isPaid: boolean; limit: number; offset: number }) =>
  db
    .selectFrom('deposit as d')
    .innerJoin('transaction as t', (join) =>
      join.onRef('t.userId', '=', 'd.userId').onRef('t.id', '=', 'd.transactionId'),
    )
    .select(['d.derivationIndex', 'd.chain', 'd.address', 'd.transactionId', 't.status', 'd.token as currency'])
    .select('d.received')
    .where(isPaidIf(value.isPaid))
    .orderBy('d.derivationIndex')
    .limit(value.limit)
    .offset(value.offset),
);
const COUNT_ADDRESSES = query('deposit-address-count', (db: Tables, value: { isPaid: boolean }) =>
  db
    .selectFrom('deposit as d')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where(isPaidIf(value.isPaid)),
);

/** A page of the assigned addresses: all, or only those that received a payment. */
export async function listAddresses(
  database: Database,
  isPaid: boolean,
  request: PageRequest,
): Promise<DepositAddressPage> {
  const [rows, [total]] = await Promise.all([
    database.run(ADDRESSES, { isPaid, limit: request.pageSize, offset: offsetOf(request) }),
    database.run(COUNT_ADDRESSES, { isPaid }),
  ]);
  const results = rows.map((row) => ({
    ...row,
    received: fromBaseUnits(BigInt(row.received), TOKEN_DECIMALS[row.currency]),
  }));
  return { ...request, count: total?.count ?? 0, results };
}
