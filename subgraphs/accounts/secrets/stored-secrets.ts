import { sql } from 'kysely';
import { query } from '../../../kernel/database/query.js';
import type { ReplacedSecret, StoredSecret, StoredSecrets } from '../../../kernel/security/stored-secrets.js';
import type { Tables } from '../entities.js';
import { sealedFor } from '../notifications/webhook/webhook.js';
import { PURPOSE } from '../sandbox/webhook/secret.actions.js';

/** The key of an endpoint as one text: the user, then the id. */
const ENDPOINT = sql`(user_id || ':' || id)`;
const isEndpoint = (id: string) =>
  sql`user_id = split_part(${id}, ':', 1)::integer AND id = split_part(${id}, ':', 2)::uuid`;

const ENDPOINT_SECRETS: StoredSecrets = {
  list: query(
    'stored-endpoint-secrets',
    (_: Tables, value: { after: string }) => sql<StoredSecret>`
    SELECT ${ENDPOINT} AS id, sealed_secret AS sealed, id::text AS subject FROM accounts.webhook_endpoint
     WHERE ${ENDPOINT} > ${value.after} ORDER BY 1 LIMIT 1000`,
  ),
  replace: query(
    'replace-endpoint-secret',
    (_: Tables, value: ReplacedSecret) => sql<object>`
    UPDATE accounts.webhook_endpoint SET sealed_secret = ${value.sealed}
     WHERE ${isEndpoint(value.id)} AND sealed_secret = ${value.former}`,
  ),
  purposeOf: sealedFor,
};

const PREVIOUS_ENDPOINT_SECRETS: StoredSecrets = {
  list: query(
    'stored-previous-endpoint-secrets',
    (_: Tables, value: { after: string }) => sql<StoredSecret>`
    SELECT ${ENDPOINT} AS id, sealed_previous AS sealed, id::text AS subject FROM accounts.webhook_endpoint
     WHERE sealed_previous IS NOT NULL AND ${ENDPOINT} > ${value.after} ORDER BY 1 LIMIT 1000`,
  ),
  replace: query(
    'replace-previous-endpoint-secret',
    (_: Tables, value: ReplacedSecret) => sql<object>`
    UPDATE accounts.webhook_endpoint SET sealed_previous = ${value.sealed}
     WHERE ${isEndpoint(value.id)} AND sealed_previous = ${value.former}`,
  ),
  purposeOf: sealedFor,
};

/** A list of secrets; a sealed text occurs once. */
const EARLIER_ENDPOINT_SECRETS: StoredSecrets = {
  list: query(
    'stored-earlier-endpoint-secrets',
    (_: Tables, value: { after: string }) => sql<StoredSecret>`
    SELECT * FROM (
      SELECT ${ENDPOINT} || ':' || e.place AS id, e.secret ->> 'sealed' AS sealed, id::text AS subject
        FROM accounts.webhook_endpoint CROSS JOIN jsonb_array_elements(sealed_earlier) WITH ORDINALITY e (secret, place)) secret
     WHERE id > ${value.after} ORDER BY id LIMIT 1000`,
  ),
  replace: query(
    'replace-earlier-endpoint-secret',
    (_: Tables, value: ReplacedSecret) => sql<object>`
    UPDATE accounts.webhook_endpoint
       SET sealed_earlier = replace(sealed_earlier::text, ${value.former}, ${value.sealed})::jsonb
     WHERE ${isEndpoint(value.id)}`,
  ),
  purposeOf: sealedFor,
};

/** A setting is one secret or a list of them; a sealed text occurs once. */
const SANDBOX_SECRETS: StoredSecrets = {
  list: query(
    'stored-sandbox-secrets',
    (_: Tables, value: { after: string }) => sql<StoredSecret>`
    SELECT id, sealed, '' AS subject
      FROM (SELECT s.name || ':' || e.place AS id, e.sealed
              FROM accounts.sandbox_setting s
             CROSS JOIN jsonb_array_elements_text(CASE jsonb_typeof(s.value) WHEN 'array' THEN s.value ELSE jsonb_build_array(s.value) END)
                        WITH ORDINALITY e (sealed, place)
             WHERE s.name IN ('secret_key', 'webhook_secrets')) secret
     WHERE id > ${value.after} ORDER BY id LIMIT 1000`,
  ),
  replace: query(
    'replace-sandbox-secret',
    (_: Tables, value: ReplacedSecret) => sql<object>`
    UPDATE accounts.sandbox_setting SET value = replace(value::text, ${value.former}, ${value.sealed})::jsonb
     WHERE name = split_part(${value.id}, ':', 1)`,
  ),
  purposeOf: () => PURPOSE,
};

/** Columns encrypted under DATA_KEY. A rotation moves secrets to the next of these columns, which is therefore read later. */
export const STORED_SECRETS: readonly StoredSecrets[] = [
  ENDPOINT_SECRETS,
  PREVIOUS_ENDPOINT_SECRETS,
  EARLIER_ENDPOINT_SECRETS,
  SANDBOX_SECRETS,
];
