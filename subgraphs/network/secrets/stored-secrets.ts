import { sql } from 'kysely';
import { query } from '../../../kernel/database/query.js';
import type { ReplacedSecret, StoredSecret, StoredSecrets } from '../../../kernel/security/stored-secrets.js';
import { sealPurpose } from '../certificates/authority/new-authority.actions.js';
import type { Tables } from '../entities.js';
import { commandPurpose } from '../joining/enrollment/vm-peer.actions.js';

/** The parts of the id of a secret: its tenant and its row, joined by a colon. */
const tenantIn = (id: string) => sql`split_part(${id}, ':', 1)::integer`;
const idIn = (id: string) => sql`split_part(${id}, ':', 2)`;

const AUTHORITY_KEYS: StoredSecrets = {
  list: query(
    'stored-authority-keys',
    (_: Tables, value: { after: string }) => sql<StoredSecret>`
    SELECT concat(tenant_id, ':', id) AS id, sealed_key AS sealed, tenant_id::text AS subject FROM network.authority
     WHERE concat(tenant_id, ':', id) > ${value.after} ORDER BY 1 LIMIT 1000`,
  ),
  replace: query(
    'replace-authority-key',
    (_: Tables, value: ReplacedSecret) => sql<object>`
    UPDATE network.authority SET sealed_key = ${value.sealed}
     WHERE tenant_id = ${tenantIn(value.id)} AND id = ${idIn(value.id)}::integer AND sealed_key = ${value.former}`,
  ),
  purposeOf: (tenantId) => sealPurpose(Number(tenantId)),
};

const JOIN_COMMANDS: StoredSecrets = {
  list: query(
    'stored-join-commands',
    (_: Tables, value: { after: string }) => sql<StoredSecret>`
    SELECT concat(e.tenant_id, ':', e.vm) AS id, e.sealed_command AS sealed, t.user_id || ':' || e.vm AS subject
      FROM network.enrollment e JOIN network.tenant t ON t.id = e.tenant_id
     WHERE e.sealed_command IS NOT NULL AND concat(e.tenant_id, ':', e.vm) > ${value.after}
     ORDER BY 1 LIMIT 1000`,
  ),
  replace: query(
    'replace-join-command',
    (_: Tables, value: ReplacedSecret) => sql<object>`
    UPDATE network.enrollment SET sealed_command = ${value.sealed}
     WHERE tenant_id = ${tenantIn(value.id)} AND vm = ${idIn(value.id)}::uuid AND sealed_command = ${value.former}`,
  ),
  purposeOf: commandPurpose,
};

/** Columns encrypted under DATA_KEY. */
export const STORED_SECRETS: readonly StoredSecrets[] = [AUTHORITY_KEYS, JOIN_COMMANDS];
