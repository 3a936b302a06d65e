import { sql } from 'kysely';
import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { Tables } from '../../entities.js';

/** The current certificates of a user's peers. */
const certificatesOfUser = (db: Tables, userId: number) =>
  db
    .selectFrom('peer as p')
    .innerJoin('tenant as t', 't.id', 'p.tenantId')
    .leftJoin('certificateHolder as h', (on) =>
      on.onRef('h.tenantId', '=', 'p.tenantId').onRef('h.peerId', '=', 'p.id'),
    )
    .select([
      'p.id as peerId',
      sql<string>`p.certificate_fingerprint`.as('fingerprint'),
      sql<Date>`date_trunc('second', p.certificate_not_after)`.as('expiresAt'),
      'h.reference',
    ])
    .where('t.userId', '=', userId)
    .where('p.certificate', 'is not', null);

const BY_PEER = query('certificates-of-peers', (db: Tables, value: { userId: number; ids: readonly number[] }) =>
  certificatesOfUser(db, value.userId).where('p.id', '=', anyOf(value.ids)),
);
const BY_FINGERPRINT = query(
  'certificates-by-fingerprint',
  (db: Tables, value: { userId: number; fingerprints: readonly string[] }) =>
    certificatesOfUser(db, value.userId).where('p.certificateFingerprint', '=', anyOf(value.fingerprints)),
);
const PEERS_OF_RECORDS = query(
  'peers-of-certificate-records',
  (db: Tables, value: { userId: number; references: readonly string[] }) =>
    db
      .selectFrom('certificateHolder as h')
      .innerJoin('tenant as t', 't.id', 'h.tenantId')
      .select(['h.reference', 'h.peerId'])
      .where('t.userId', '=', value.userId)
      .where('h.reference', '=', anyOf(value.references)),
);

/** The current certificate of one of the viewer's peers; undefined until its machine has joined. */
export const certificateOfPeer = batched(async ({ viewer, database }: Context, ids: readonly number[]) => {
  if (viewer.kind !== 'user') return [];
  return inOrder(ids, await database.run(BY_PEER, { userId: viewer.userId, ids }), ({ peerId }) => peerId);
});

/** The current certificate of one of the viewer's peers; undefined if it belongs to another user. */
export const certificateByFingerprint = batched(
  async ({ viewer, database }: Context, fingerprints: readonly string[]) => {
    if (viewer.kind !== 'user') return [];
    const found = await database.run(BY_FINGERPRINT, { userId: viewer.userId, fingerprints });
    return inOrder(fingerprints, found, ({ fingerprint }) => fingerprint);
  },
);

/** Id of the peer of one of the viewer's certificate records; undefined after its revocation. */
export const peerIdOfRecord = batched(async ({ viewer, database }: Context, references: readonly string[]) => {
  if (viewer.kind !== 'user') return [];
  const found = await database.run(PEERS_OF_RECORDS, { userId: viewer.userId, references });
  return inOrder(references, found, ({ reference }) => reference).map((row) => row?.peerId ?? undefined);
});
