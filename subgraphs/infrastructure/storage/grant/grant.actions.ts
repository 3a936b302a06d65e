import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { Grant } from './grant.js';

const grantsOf = (userId: number) => sql`
  SELECT t.id, t.name, t.access_key_id AS "accessKeyId", t.last_four AS "lastFour", t.parent_id AS "parentId",
         CASE WHEN t.is_all_buckets THEN 'all_buckets' ELSE 'single_bucket' END AS "scopeType",
         ARRAY(SELECT b.name FROM infrastructure.sub_token_bucket s JOIN infrastructure.bucket b ON b.user_id = s.user_id AND b.id = s.bucket_id
                WHERE s.user_id = t.user_id AND s.sub_token_id = t.id ORDER BY b.name) AS "bucketNames",
         t.actions, t.prefixes AS "allowedPrefixes", t.addresses AS "ipAllowlist", t.not_before AS "notBefore",
         t.expires_at AS "expiresAt", t.revoked_at AS "revokedAt", t.created_at AS "createdAt"
    FROM infrastructure.sub_token t WHERE t.user_id = ${userId}`;
/** Number of revoked sub-tokens that are still listed. */
const MAX_REVOKED = 200;

const ALL_GRANTS = query(
  'sub-tokens-of-user',
  (_: Tables, { userId, id }: { userId: number; id: number | null }) => sql<Grant>`
    WITH RECURSIVE last AS (
      SELECT id FROM infrastructure.sub_token WHERE user_id = ${userId} AND revoked_at IS NOT NULL
       ORDER BY revoked_at DESC, id DESC LIMIT ${MAX_REVOKED}),
    listed AS (
      SELECT id, parent_id FROM infrastructure.sub_token
       WHERE user_id = ${userId} AND (revoked_at IS NULL OR id = ${id} OR id IN (SELECT id FROM last))
      UNION SELECT p.id, p.parent_id FROM infrastructure.sub_token p JOIN listed ON p.user_id = ${userId} AND p.id = listed.parent_id)
    ${grantsOf(userId)} AND t.id IN (SELECT id FROM listed) ORDER BY t.id DESC`,
);

/**
 * The user's stored sub-tokens, newest first: those not revoked, the last revoked ones, and all their ancestors.
 * @param id of a sub-token that is always included; null: none
 */
export function readGrants(database: Database, userId: number, id: number | null = null): Promise<Grant[]> {
  return database.run(ALL_GRANTS, { userId, id });
}

/** Sub-tokens that are not revoked, and their parents. */
export const LIVE_GRANTS = query(
  'live-sub-tokens-of-user',
  (_: Tables, { userId }: { userId: number }) => sql<Grant>`
    WITH RECURSIVE live AS (
      SELECT id, parent_id FROM infrastructure.sub_token WHERE user_id = ${userId} AND revoked_at IS NULL
      UNION SELECT p.id, p.parent_id FROM infrastructure.sub_token p JOIN live ON p.user_id = ${userId} AND p.id = live.parent_id)
    ${grantsOf(userId)} AND t.id IN (SELECT id FROM live) ORDER BY t.id DESC`,
);

/** The user's sub-tokens that were not revoked, with all of their parents, newest first. */
export function readLiveGrants(database: Database, userId: number): Promise<Grant[]> {
  return database.run(LIVE_GRANTS, { userId });
}
