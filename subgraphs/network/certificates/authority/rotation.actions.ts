import type { Database } from '../../../../kernel/database/database.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { SecretBox } from '../../../../kernel/security/secret-box.js';
import type { UserViewer } from '../../../../kernel/viewer.js';
import { makeAuthority } from './new-authority.actions.js';
import { showChange, tenantOf } from '../../graph/tenant/tenant.actions.js';
import type { NetworkAuthority } from './authority.js';
import { rotationTimes } from './authority.rules.js';

const AUTHORITIES = {
  name: 'authorities-of-tenant',
  text: `
    SELECT a.generation, a.fingerprint, coalesce(a.signs_from, a.not_before) AS "signsFrom",
           least(a.not_after, a.retires_at) AS "trustedUntil", a.created_at AS "createdAt",
           CASE WHEN least(a.not_after, a.retires_at) <= $2 THEN 'retired'
                WHEN coalesce(a.signs_from, a.not_before) > $2 THEN 'announced'
                WHEN EXISTS (SELECT FROM network.authority n
                              WHERE n.tenant_id = a.tenant_id AND n.generation > a.generation
                                AND coalesce(n.signs_from, n.not_before) <= $2) THEN 'trusted'
                ELSE 'signing' END AS state
      FROM network.authority a WHERE a.tenant_id = $1 ORDER BY a.generation DESC`,
};

/** The tenant's authorities, newest first. */
export function listAuthorities(database: Database, tenantId: number, now: Date): Promise<NetworkAuthority[]> {
  return database.rows<NetworkAuthority>(AUTHORITIES, [tenantId, now]);
}

/** The private network whose authority is rotated. */
interface RotatedTenant {
  readonly id: number;
  readonly addressRange: string;
}

const TENANT_BY_ID = {
  name: 'tenant-by-id',
  text: 'SELECT id, address_range::text AS "addressRange" FROM network.tenant WHERE id = $1 AND ($2 OR user_id = $3)',
};

/** Returns the tenant with this id if the user may rotate its authority; without an id, the user's own. @throws FORBIDDEN until provisioned, NOT_FOUND */
export async function tenantForRotation(
  database: Database,
  user: UserViewer,
  { tenantId, isAdmin }: { readonly tenantId: number | undefined; readonly isAdmin: boolean },
): Promise<RotatedTenant> {
  if (tenantId === undefined) return tenantOf(database, user);
  const [tenant] = await database.rows<RotatedTenant>(TENANT_BY_ID, [tenantId, isAdmin, user.userId]);
  if (!tenant) throw notFound('There is no such private network.');
  return tenant;
}

interface Rotation {
  readonly tenant: RotatedTenant;
  readonly overlapHours: number;
  readonly now: Date;
}

/** Creates the next authority and sets when the previous ones retire, in one transaction. @throws CONFLICT while authorities overlap */
export function rotateAuthority(
  database: Database,
  sealer: SecretBox,
  { tenant, overlapHours, now }: Rotation,
): Promise<void> {
  const { signsFrom, retiresAt } = rotationTimes(overlapHours, now);
  return database.change(async (transaction) => {
    await showChange(transaction, tenant.id);
    const [before] = await transaction.execute<{ overlapsUntil: Date | null; number: number }>(
      `SELECT max(retires_at) AS "overlapsUntil", count(*)::integer AS number FROM network.authority
        WHERE tenant_id = $1 AND least(not_after, retires_at) > $2`,
      [tenant.id, now],
    );
    if (before?.overlapsUntil)
      throw conflict(
        `Two authorities overlap until ${before.overlapsUntil.toISOString()}; rotate again after that time.`,
      );
    await transaction.execute(
      'UPDATE network.authority SET retires_at = $2 WHERE tenant_id = $1 AND retires_at IS NULL AND not_after > $2',
      [tenant.id, retiresAt],
    );
    // Nobody trusts another one yet: the first signs at once.
    const isFirst = before === undefined || before.number === 0;
    await makeAuthority(transaction, sealer, { tenant, now, ...(!isFirst && { signsFrom }) });
  });
}
