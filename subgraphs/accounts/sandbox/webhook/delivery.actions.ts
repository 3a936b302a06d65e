import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import type { SandboxAttemptRow, SandboxDeliveryRow } from '../rows.js';
import { sandboxSecrets } from './secret.actions.js';

/** Maximum number of attempts of a delivery, in about a day. */
const MAX_ATTEMPTS = 30;

/** Timeout of a receiver in milliseconds. */
const TIMEOUT_MS = 20_000;

/** Maximum number of stored characters of a response. */
const KEPT_OF_ANSWER = 500;

type Delivery = Pick<SandboxDeliveryRow, 'id' | 'url' | 'manner' | 'attempts'> & { readonly event: object };

/** Sends deliveries in their order or in parallel; failed ones are retried later. */
export const SANDBOX_DELIVER: JobDefinition<AccountsRuntime> = {
  name: 'sandbox-deliver',
  async work({ deliveries, atOnce }, runtime) {
    const ids = Array.isArray(deliveries) ? deliveries.map(String) : [];
    if (atOnce === true) await Promise.all(ids.map((id) => deliver(runtime, id)));
    else for (const id of ids) await deliver(runtime, id);
  },
};

const WAITING = query('sandbox-delivery', (db: Tables, value: { id: string }) =>
  db
    .selectFrom('sandboxDelivery as d')
    .innerJoin('sandboxObject as o', 'o.id', 'd.eventId')
    .select(['d.id', 'd.url', 'd.manner', 'd.attempts', 'o.object as event'])
    .where('d.id', '=', value.id)
    .where('d.state', '=', 'waiting'),
);

async function deliver(runtime: AccountsRuntime, id: string): Promise<void> {
  const [delivery] = await runtime.database.run(WAITING, { id });
  if (!delivery) return;
  const isLost = delivery.attempts < (delivery.manner.failTimes ?? 0);
  const answer = isLost ? { status: null, text: 'dropped, as requested' } : await send(runtime, delivery);
  await record(runtime, delivery, answer);
}

interface Answer {
  /** Null if nobody answered. */
  readonly status: number | null;
  readonly text: string;
}

async function send(runtime: AccountsRuntime, delivery: Delivery): Promise<Answer> {
  const payload = JSON.stringify(delivery.event, null, 2);
  const { webhookSecrets } = await sandboxSecrets(runtime);
  const timestamp = Math.floor(runtime.now().getTime() / 1000) - (delivery.manner.ageSeconds ?? 0);
  const secret = secretFor(delivery.manner.secret, webhookSecrets);
  const { Stripe } = await import('stripe');
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, timestamp, secret });
  try {
    const response = await fetch(delivery.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signature,
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks; sandbox)',
      },
      body: payload,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    return { status: null, text: error instanceof Error ? error.message : 'no answer' };
  }
}

function secretFor(input: string | undefined, secrets: readonly string[]): string {
  if (input === 'old') return secrets.at(-1) ?? '';
  if (input === 'wrong') return 'whsec_that_nobody_knows';
  return input?.startsWith('whsec_') ? input : (secrets[0] ?? '');
}

const STORE_ATTEMPT = query(
  'sandbox-attempt-keep',
  (db: Tables, { deliveryId, status, answer, createdAt }: Omit<SandboxAttemptRow, 'id'>) =>
    db.insertInto('sandboxAttempt').values({ deliveryId, status, answer, createdAt }),
);
const SET_STATE = query(
  'sandbox-delivery-set-state',
  (db: Tables, value: { id: string; state: 'delivered' | 'waiting' | 'failed' }) =>
    db
      .updateTable('sandboxDelivery')
      .set((eb) => ({ state: value.state, attempts: eb('attempts', '+', 1) }))
      .where('id', '=', value.id)
      .where('state', '=', 'waiting'),
);

/** Records an attempt, and schedules the next one if it failed. */
async function record(runtime: AccountsRuntime, delivery: Delivery, { status, text }: Answer): Promise<void> {
  const now = runtime.now();
  const isTaken = status !== null && status >= 200 && status < 300;
  const attempts = delivery.attempts + 1;
  const state = isTaken ? 'delivered' : attempts < MAX_ATTEMPTS ? 'waiting' : 'failed';
  await runtime.database.change(async (transaction) => {
    const answer = text.slice(0, KEPT_OF_ANSWER).replaceAll('\0', '');
    await transaction.run(STORE_ATTEMPT, { deliveryId: delivery.id, status, answer, createdAt: now });
    await transaction.run(SET_STATE, { id: delivery.id, state });
    if (state !== 'waiting') return;
    const startAfter = new Date(now.getTime() + Math.min(2 ** attempts, 3_600) * 1000);
    await runtime.jobs.enqueue(transaction, 'sandbox-deliver', { deliveries: [delivery.id] }, { startAfter });
  });
}
