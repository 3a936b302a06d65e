import type Stripe from 'stripe';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { AccountsRuntime } from '../../services.js';
import { withSandboxStore, type SandboxStore, type Entry } from '../sandbox-store.js';
import type { Kind } from '../sandbox-objects.js';
import { refuse } from '../refusal.js';
import { expireSession, settleSession } from './checkout.js';
import { renewSubscription, retryInvoice } from './subscription.js';

/** Things that may happen within one advance of a clock. */
const MAX_STEPS = 1_000;

/** Seconds that a clock is set forward at most, so that it stays within what PostgreSQL can keep. */
const MAX_SECONDS = 10 * 366 * 86_400;

interface Due {
  readonly id: string;
  readonly kind: Kind;
  readonly customer: string | null;
  /** Unix seconds of the customer's clock. */
  readonly at: number;
}

const COLUMNS = 'd.id, d.kind, d.customer, extract(epoch FROM d.due_at)::double precision AS at';

/**
 * Sets a customer's clock forward to this time in Unix seconds; what is due on the way happens in its order, each at
 * its own time. @throws a refusal for a time that is past, or too far for one step
 */
export async function advanceClock(desk: SandboxStore, customer: string, to: number): Promise<void> {
  const now = await desk.timeOf(customer);
  if (to < now || to > now + MAX_SECONDS) {
    throw refuse({ message: 'A clock can only be advanced, by at most ten years.', param: 'to' });
  }
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const [due] = await desk.transaction.execute<Due>(
      `SELECT ${COLUMNS} FROM accounts.sandbox_object d
        WHERE d.customer = $1 AND d.due_at <= to_timestamp($2::double precision) ORDER BY d.due_at, d.position LIMIT 1`,
      [customer, to],
    );
    await setClock(desk, customer, due ? Math.max(due.at, await desk.timeOf(customer)) : to);
    if (!due) return;
    await happen(desk, due);
  }
  throw refuse({ message: 'Too many events at once: advance in smaller steps.', param: 'to' });
}

async function setClock(desk: SandboxStore, customer: string, at: number): Promise<void> {
  await desk.hide(customer, { offsetSeconds: Math.round(at - desk.seconds()) });
}

/** Lets happen what is due to an object. */
async function happen(desk: SandboxStore, { id, kind }: Due): Promise<void> {
  const entry = await desk.take(kind, id);
  await desk.due(id, null);
  if (kind === 'subscription') await renewSubscription(desk, entry as Entry<'subscription'>);
  else if (kind === 'invoice') await retryInvoice(desk, entry.object as Stripe.Invoice);
  else if (kind === 'checkout.session') {
    const session = entry.object as Stripe.Checkout.Session;
    await (session.status === 'open' ? expireSession(desk, session) : settleSession(desk, session, true));
  }
}

const DUE = {
  name: 'sandbox-due',
  text: `SELECT ${COLUMNS}
           FROM accounts.sandbox_object d LEFT JOIN accounts.sandbox_object c ON c.id = d.customer
          WHERE d.due_at <= $1::timestamptz + coalesce((c.hidden->>'offsetSeconds')::double precision, 0) * interval '1 second'
          ORDER BY d.due_at LIMIT 100`,
};

const IS_DUE = `
  SELECT 1 FROM accounts.sandbox_object WHERE id = $1 AND due_at = to_timestamp($2::double precision)`;

/** Lets happen by real time what is due: sessions expire, subscriptions renew. Old keys of requests are forgotten. */
export const SANDBOX_CLOCK: JobDefinition<AccountsRuntime> = {
  name: 'sandbox-clock',
  cron: '* * * * *',
  async work(_data, runtime) {
    if (runtime.services.config.payments.processor !== 'sandbox') return;
    for (const due of await runtime.database.rows<Due>(DUE, [runtime.now()])) {
      await withSandboxStore(runtime, null, async (desk) => {
        const still = await desk.transaction.execute<object>(IS_DUE, [due.id, due.at]);
        if (still.length > 0) await happen(desk, due);
      });
    }
    await forgetKeys(runtime);
  },
};

const DAY_MS = 86_400_000;

async function forgetKeys({ database, now }: AccountsRuntime): Promise<void> {
  await database.change((transaction) =>
    transaction.execute('DELETE FROM accounts.sandbox_request WHERE created_at < $1', [
      new Date(now().getTime() - DAY_MS),
    ]),
  );
}
