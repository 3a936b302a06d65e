import { sql } from 'kysely';
import { batched } from '../../../../kernel/concurrency/batched.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { Tables } from '../../entities.js';
import type { OpenUpload } from './open-upload.js';

// An owner has at most MAX_SESSIONS of them.
const OPEN_UPLOADS = query(
  'open-uploads-of-folders',
  (db: Tables, value: { address: string; ids: readonly string[]; now: Date }) =>
    db
      .selectFrom('uploadSession as s')
      .innerJoin('owner', 'owner.id', 's.ownerId')
      .innerJoin('folder', (on) =>
        on.onRef('folder.ownerId', '=', 's.ownerId').on(sql<boolean>`folder.folder_hash = s.manifest->>'folderHash'`),
      )
      .select(['folder.id as folderId', 's.id as sessionId'])
      .select([
        sql<string | null>`s.manifest->>'relativePath'`.as('relativePath'),
        sql<string | null>`s.manifest->>'fileName'`.as('fileName'),
        sql<number>`s.ciphertext_size::double precision`.as('ciphertextSize'),
        sql<number>`s.received_bytes::double precision`.as('receivedBytes'),
        sql<number>`floor(extract(epoch FROM s.created_at))::double precision`.as('createdAt'),
        sql<number>`floor(extract(epoch FROM s.expires_at))::double precision`.as('expiresAt'),
      ])
      .where('owner.address', '=', value.address)
      .where('folder.id', '=', anyOf(value.ids))
      .where('s.state', '=', sql.lit('receiving'))
      .where('s.expiresAt', '>', value.now)
      .orderBy('s.createdAt')
      .orderBy('s.id'),
);

/** The open upload sessions of one of the viewer's folders, oldest first. */
export const openUploadsOfFolder = batched(async ({ viewer, database, now }: Context, ids: readonly string[]) => {
  if (viewer.kind !== 'user' || viewer.substrateAddress === null) return [];
  const rows = await database.run(OPEN_UPLOADS, { address: viewer.substrateAddress, ids, now: now() });
  const found = new Map(ids.map((id): [string, OpenUpload[]] => [id, []]));
  for (const { folderId, ...upload } of rows) found.get(folderId)?.push(upload);
  return ids.map((id) => found.get(id));
});
