import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { SecretBox } from '../../../../kernel/security/secret-box.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { makeAuthority } from './new-authority.actions.js';
import { increaseRevision, tenantOf } from '../../graph/tenant/tenant.actions.js';
import type { NetworkAuthority } from './authority.js';
import { rotationTimes } from './authority.rules.js';

const AUTHORITIES = query(
  'authorities-of-tenant',
  (_: Tables, { tenantId, now }: { tenantId: number; now: Date }) => sql<NetworkAuthority>`
    SELECT a.generation, a.fingerprint, coalesce(a.signs_from, a.not_before) AS "signsFrom",
           least(a.not_after, a.retires_at) AS "trustedUntil", a.created_at AS "createdAt",
           CASE WHEN least(a.not_after, a.retires_at) <= ${now} THEN 'retired'
                WHEN coalesce(a.signs_from, a.not_before) > ${now} THEN 'announced'
                WHEN EXISTS (SELECT FROM network.authority n
                              WHERE n.tenant_id = a.tenant_id AND n.generation > a.generation
                                AND coalesce(n.signs_from, n.not_before) <= ${now}) THEN 'trusted'
                ELSE 'signing' END AS state
      FROM network.authority a WHERE a.tenant_id = ${tenantId} ORDER BY a.generation DESC`,
);

/** The tenant's authorities, newest first. */
export function listAuthorities(database: Database, tenantId: number, now: Date): Promise<NetworkAuthority[]> {
  return database.run(AUTHORITIES, { tenantId, now });
}

/** The private network whose authority is rotated. */
interface RotatedTenant {
  readonly id: number;
  readonly addressRange: string;
  readonly userId: number;
}

const TENANT_BY_ID = query('tenant-by-id', (db: Tables, value: { id: number; isAdmin: boolean; userId: number }) =>
  db
    .selectFrom('tenant')
    .select(['id', 'userId', sql<string>`address_range::text`.as('addressRange')])
    .where('id', '=', value.id)
    .where(sql<boolean>`(${value.isAdmin} OR user_id = ${value.userId})`),
);

/** Returns the tenant with this id if the user may rotate its authority; without an id, the user's own. @throws FORBIDDEN until provisioned, NOT_FOUND */
export async function tenantForRotation(
  database: Database,
  user: UserViewer,
  { tenantId, isAdmin }: { readonly tenantId: number | undefined; readonly isAdmin: boolean },
): Promise<RotatedTenant> {
  if (tenantId === undefined) return { ...(await tenantOf(database, user)), userId: user.userId };
  const [tenant] = await database.run(TENANT_BY_ID, { id: tenantId, isAdmin, userId: user.userId });
  if (!tenant) throw notFound('There is no such private network.');
  return tenant;
}

interface Rotation {
  readonly tenant: RotatedTenant;
  readonly overlapHours: number;
  readonly now: Date;
}

const TRUSTED = query('overlap-of-authorities', (db: Tables, value: { tenantId: number; now: Date }) =>
  db
    .selectFrom('authority')
    .select([sql<Date | null>`max(retires_at)`.as('overlapsUntil'), sql<number>`count(*)::integer`.as('number')])
    .where('tenantId', '=', value.tenantId)
    .where(sql<Date>`least(not_after, retires_at)`, '>', value.now),
);

const RETIRE = query('retire-authorities', (db: Tables, value: { tenantId: number; retiresAt: Date }) =>
  db
    .updateTable('authority')
    .set({ retiresAt: value.retiresAt })
    .where('tenantId', '=', value.tenantId)
    .where('retiresAt', 'is', null)
    .where('notAfter', '>', value.retiresAt),
);

/** Creates the next authority and sets when the previous ones retire, in one transaction. @throws CONFLICT while authorities overlap */
export async function rotateAuthority(
  database: Database,
  secretBox: SecretBox,
  { tenant, overlapHours, now }: Rotation,
): Promise<void> {
  const { signsFrom, retiresAt } = rotationTimes(overlapHours, now);
  await database.change(async (transaction) => {
    await increaseRevision(transaction, tenant.id);
    const [before] = await transaction.run(TRUSTED, { tenantId: tenant.id, now });
    if (before?.overlapsUntil)
      throw conflict(
        `Two authorities overlap until ${before.overlapsUntil.toISOString()}; rotate again after that time.`,
      );
    await transaction.run(RETIRE, { tenantId: tenant.id, retiresAt });
    // The first authority signs at once, because no peer trusts another one.
    const isFirst = before === undefined || before.number === 0;
    await makeAuthority(transaction, secretBox, { tenant, now, ...(!isFirst && { signsFrom }) });
    return { tenantId: tenant.id, userId: tenant.userId };
  });
}
