import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import { query } from '../../../../kernel/database/query.js';
import type { Database } from '../../../../kernel/database/database.js';
import { unavailable } from '../../../../kernel/errors.js';
import type { SecretBox } from '../../../../kernel/security/secret-box.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime, SandboxSecrets } from '../../services.js';
import { seedCatalogue } from '../objects/catalogue.js';
import { SandboxStore } from '../sandbox-store.js';

const KEPT = query('sandbox-secrets', (db: Tables) =>
  db
    .selectFrom('sandboxSetting')
    .select(['name', 'value'])
    .where('name', 'in', ['secret_key', 'webhook_secrets'])
    .$castTo<{ name: string; value: string & string[] }>(),
);

/** The secrets of the sandbox: those that the operator set, else random ones that are stored encrypted. */
export async function sandboxSecrets(runtime: AccountsRuntime): Promise<SandboxSecrets> {
  const { payments } = runtime.services.config;
  const kept = (await storedSecrets(runtime.database)) ?? (await makeSecrets(runtime));
  const open = (sealed: string) => openSecret(runtime, sealed);
  return {
    secretKey: payments.secretKey ?? open(kept.secretKey),
    webhookSecrets: payments.webhookSecrets.length > 0 ? payments.webhookSecrets : kept.webhookSecrets.map(open),
  };
}

/** Purpose of the encrypted sandbox secrets. */
export const PURPOSE = 'sandbox';

/** @throws UNAVAILABLE if it was encrypted with another key */
function openSecret({ services, log }: AccountsRuntime, sealed: string): string {
  try {
    return services.secretBox.open(sealed, PURPOSE);
  } catch (error) {
    log.error({ err: error }, 'the sandbox secrets were encrypted with another DATA_KEY');
    throw unavailable('Payments by card are not available at the moment.');
  }
}

/** The stored, encrypted secrets. */
async function storedSecrets(reader: Pick<Database, 'run'>): Promise<SandboxSecrets | undefined> {
  const rows = await reader.run(KEPT, {});
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  const secretKey = values.get('secret_key');
  const webhookSecrets = values.get('webhook_secrets');
  return secretKey && webhookSecrets && { secretKey, webhookSecrets };
}

const ADD = query(
  'sandbox-add-secrets',
  (_: Tables, value: { secretKey: string; webhookSecrets: string }) => sql<object>`
  INSERT INTO accounts.sandbox_setting (name, value)
  VALUES ('secret_key', to_jsonb(${value.secretKey}::text)), ('webhook_secrets', ${value.webhookSecrets}::jsonb)
  ON CONFLICT (name) DO NOTHING`,
);

/** Creates the secrets and the catalogue; a concurrent second call uses the first one's. */
async function makeSecrets(runtime: AccountsRuntime): Promise<SandboxSecrets> {
  const { secretBox } = runtime.services;
  const secretKey = `sk_test_${randomBytes(24).toString('hex')}`;
  await runtime.database.change(async (transaction) => {
    await transaction.run(ADD, {
      secretKey: secretBox.seal(secretKey, PURPOSE),
      webhookSecrets: JSON.stringify([newWebhookSecret(secretBox)]),
    });
    await seedCatalogue(new SandboxStore(transaction, runtime, null));
  });
  const kept = await storedSecrets(runtime.database);
  if (!kept) throw new Error('the secrets of the sandbox were not kept');
  return kept;
}

/** A new, encrypted secret. */
function newWebhookSecret(secretBox: SecretBox): string {
  return secretBox.seal(`whsec_${randomBytes(24).toString('hex')}`, PURPOSE);
}

/** Rotates the webhook secret; earlier secrets stay valid. */
export async function rotateWebhookSecret(store: SandboxStore): Promise<void> {
  const before = (await storedSecrets(store.transaction))?.webhookSecrets ?? [];
  await store.set('webhook_secrets', [newWebhookSecret(store.runtime.services.secretBox), ...before].slice(0, 3));
}
