import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { HOST_TTL_MS } from './authority.actions.js';

const DAY_MS = 24 * 3_600_000;

interface Peer {
  readonly tenantId: number;
  readonly id: number;
}

const COUNT_CERTIFICATES = query('count-certificates-of-peer', (db: Tables, value: Peer & { endAfter: Date }) =>
  db
    .selectFrom('issuedCertificate')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('tenantId', '=', value.tenantId)
    .where('peerId', '=', value.id)
    .where('notAfter', '>', value.endAfter),
);

/** The number of certificates that a joined peer got in the last day. */
export async function countIssuedInDay(transaction: Transaction, { tenantId, id }: Peer, now: Date): Promise<number> {
  const endAfter = new Date(now.getTime() + HOST_TTL_MS - DAY_MS);
  const [{ count } = { count: 0 }] = await transaction.run(COUNT_CERTIFICATES, { tenantId, id, endAfter });
  return count;
}
