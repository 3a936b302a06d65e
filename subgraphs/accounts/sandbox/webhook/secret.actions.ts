import { randomBytes } from 'node:crypto';
import { unavailable } from '../../../../kernel/errors.js';
import type { SecretBox } from '../../../../kernel/security/secret-box.js';
import type { AccountsRuntime, SandboxSecrets } from '../../services.js';
import { seedCatalogue } from '../objects/catalogue.js';
import { SandboxStore } from '../sandbox-store.js';

const KEPT = {
  name: 'sandbox-secrets',
  text: "SELECT name, value FROM accounts.sandbox_setting WHERE name IN ('secret_key', 'webhook_secrets')",
};

/** The secrets of the sandbox: those that the operator set, else random ones that are made once and kept sealed. */
export async function sandboxSecrets(runtime: AccountsRuntime): Promise<SandboxSecrets> {
  const { payments } = runtime.services.config;
  const kept = (await keptSecrets(runtime)) ?? (await makeSecrets(runtime));
  const open = (sealed: string) => openSecret(runtime, sealed);
  return {
    secretKey: payments.secretKey ?? open(kept.secretKey),
    webhookSecrets: payments.webhookSecrets.length > 0 ? payments.webhookSecrets : kept.webhookSecrets.map(open),
  };
}

/** Purpose of the encrypted sandbox secrets. */
const PURPOSE = 'sandbox';

/** @throws UNAVAILABLE when it was sealed with another key */
function openSecret({ services, log }: AccountsRuntime, sealed: string): string {
  try {
    return services.sealer.open(sealed, PURPOSE);
  } catch (error) {
    log.error({ err: error }, 'the sandbox secrets were encrypted with another DATA_KEY');
    throw unavailable('Payments by card are not available at the moment.');
  }
}

/** The stored, encrypted secrets. */
async function keptSecrets({ database }: AccountsRuntime): Promise<SandboxSecrets | undefined> {
  const rows = await database.rows<{ name: string; value: string & string[] }>(KEPT);
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  const secretKey = values.get('secret_key');
  const webhookSecrets = values.get('webhook_secrets');
  return secretKey && webhookSecrets && { secretKey, webhookSecrets };
}

/** Creates the secrets and the catalogue; a concurrent second call finds them. */
async function makeSecrets(runtime: AccountsRuntime): Promise<SandboxSecrets> {
  const { sealer } = runtime.services;
  const secretKey = `sk_test_${randomBytes(24).toString('hex')}`;
  await runtime.database.change(async (transaction) => {
    await transaction.execute(
      `INSERT INTO accounts.sandbox_setting (name, value) VALUES ('secret_key', to_jsonb($1::text)), ('webhook_secrets', $2::jsonb)
       ON CONFLICT (name) DO NOTHING`,
      [sealer.seal(secretKey, PURPOSE), JSON.stringify([newWebhookSecret(sealer)])],
    );
    await seedCatalogue(new SandboxStore(transaction, runtime, null));
  });
  const kept = await keptSecrets(runtime);
  if (!kept) throw new Error('the secrets of the sandbox were not kept');
  return kept;
}

/** A new one, sealed. */
function newWebhookSecret(sealer: SecretBox): string {
  return sealer.seal(`whsec_${randomBytes(24).toString('hex')}`, PURPOSE);
}

/** Rotates the webhook secret; earlier secrets stay valid. */
export async function rotateWebhookSecret(desk: SandboxStore): Promise<void> {
  const before = (await desk.setting<readonly string[]>('webhook_secrets')) ?? [];
  await desk.set('webhook_secrets', [newWebhookSecret(desk.runtime.services.sealer), ...before].slice(0, 3));
}
