import { sql } from 'kysely';
import { query } from '../../../kernel/database/query.js';
import type { ReplacedSecret, StoredSecret, StoredSecrets } from '../../../kernel/security/stored-secrets.js';
import { sealPurpose } from '../certificates/certificate.rules.js';
import type { Tables } from '../entities.js';

const CERTIFICATE_KEYS: StoredSecrets = {
  list: query(
    'stored-certificate-keys',
    (_: Tables, value: { after: string }) => sql<StoredSecret>`
    SELECT concat(user_id, ':', reference) AS id, sealed_key AS sealed, reference::text AS subject
      FROM infrastructure.overlay_certificate
     WHERE sealed_key IS NOT NULL AND concat(user_id, ':', reference) > ${value.after}
     ORDER BY 1 LIMIT 1000`,
  ),
  replace: query(
    'replace-certificate-key',
    (_: Tables, value: ReplacedSecret) => sql<object>`
    UPDATE infrastructure.overlay_certificate SET sealed_key = ${value.sealed}
     WHERE user_id = split_part(${value.id}, ':', 1)::integer AND reference = split_part(${value.id}, ':', 2)::uuid
       AND sealed_key = ${value.former}`,
  ),
  purposeOf: sealPurpose,
};

/** Columns encrypted under DATA_KEY. */
export const STORED_SECRETS: readonly StoredSecrets[] = [CERTIFICATE_KEYS];
