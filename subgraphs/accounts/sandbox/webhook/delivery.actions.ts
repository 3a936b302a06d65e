import { Stripe } from 'stripe';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { AccountsRuntime } from '../../services.js';
import type { DeliveryRule } from '../sandbox-objects.js';
import { sandboxSecrets } from './secret.actions.js';

/** Attempts after which a delivery is given up: about a day. */
const MAX_ATTEMPTS = 30;

/** Milliseconds that a receiver may take. */
const TIMEOUT_MS = 20_000;

/** Characters of an answer that are kept. */
const KEPT_OF_ANSWER = 500;

interface Delivery {
  readonly id: string;
  readonly url: string;
  readonly manner: Pick<DeliveryRule, 'secret' | 'ageSeconds' | 'failTimes'>;
  readonly attempts: number;
  readonly event: object;
}

/** Sends deliveries in their order or side by side; what is not taken is sent again later. */
export const SANDBOX_DELIVER: JobDefinition<AccountsRuntime> = {
  name: 'sandbox-deliver',
  async work({ deliveries, atOnce }, runtime) {
    const ids = Array.isArray(deliveries) ? deliveries.map(String) : [];
    if (atOnce === true) await Promise.all(ids.map((id) => deliver(runtime, id)));
    else for (const id of ids) await deliver(runtime, id);
  },
};

const WAITING = {
  name: 'sandbox-delivery',
  text: `SELECT d.id, d.url, d.manner, d.attempts, o.object AS event
           FROM accounts.sandbox_delivery d JOIN accounts.sandbox_object o ON o.id = d.event_id
          WHERE d.id = $1 AND d.state = 'waiting'`,
};

async function deliver(runtime: AccountsRuntime, id: string): Promise<void> {
  const [delivery] = await runtime.database.rows<Delivery>(WAITING, [id]);
  if (!delivery) return;
  const isLost = delivery.attempts < (delivery.manner.failTimes ?? 0);
  const answer = isLost ? { status: null, text: 'dropped, as requested' } : await send(runtime, delivery);
  await record(runtime, delivery, answer);
}

interface Answer {
  /** Null where nobody answered. */
  readonly status: number | null;
  readonly text: string;
}

async function send(runtime: AccountsRuntime, delivery: Delivery): Promise<Answer> {
  const payload = JSON.stringify(delivery.event, null, 2);
  const { webhookSecrets } = await sandboxSecrets(runtime);
  const timestamp = Math.floor(runtime.now().getTime() / 1000) - (delivery.manner.ageSeconds ?? 0);
  const signature = signPayload({ payload, timestamp, secret: secretFor(delivery.manner.secret, webhookSecrets) });
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

/** The header by which a receiver knows the sender. */
function signPayload(signed: { payload: string; timestamp: number; secret: string }): string {
  return Stripe.webhooks.generateTestHeaderString(signed);
}

function secretFor(wanted: string | undefined, secrets: readonly string[]): string {
  if (wanted === 'old') return secrets.at(-1) ?? '';
  if (wanted === 'wrong') return 'whsec_that_nobody_knows';
  return wanted?.startsWith('whsec_') ? wanted : (secrets[0] ?? '');
}

/** Keeps what came of an attempt, and has the next one made where it was not taken. */
async function record(runtime: AccountsRuntime, delivery: Delivery, { status, text }: Answer): Promise<void> {
  const now = runtime.now();
  const isTaken = status !== null && status >= 200 && status < 300;
  const attempts = delivery.attempts + 1;
  const state = isTaken ? 'delivered' : attempts < MAX_ATTEMPTS ? 'waiting' : 'failed';
  await runtime.database.change(async (transaction) => {
    const answer = text.slice(0, KEPT_OF_ANSWER).replaceAll('\0', '');
    await transaction.execute(
      'INSERT INTO accounts.sandbox_attempt (delivery_id, status, answer, created_at) VALUES ($1, $2, $3, $4)',
      [delivery.id, status, answer, now],
    );
    await transaction.execute(
      "UPDATE accounts.sandbox_delivery SET state = $2, attempts = attempts + 1 WHERE id = $1 AND state = 'waiting'",
      [delivery.id, state],
    );
    if (state !== 'waiting') return;
    const startAfter = new Date(now.getTime() + Math.min(2 ** attempts, 3_600) * 1000);
    await runtime.jobs.enqueue(transaction, 'sandbox-deliver', { deliveries: [delivery.id] }, { startAfter });
  });
}
