import { Stripe } from 'stripe';
import { PAYMENTS } from '../arrangements.js';
import { asAdmin, call, graphql, type Json } from '../platform.js';
import { balanceOf, openPage, transactionOf, type OpenPage } from './payments.js';
import { signIn, type SignedIn } from '../accounts/wallet.js';

export const PLUS = 'price_SandboxPlusMonth00001';
export const PRO = 'price_SandboxProMonth000001';

/** A platform and its payment processor: its own sandbox, or the sandbox of another platform. */
export interface Shop {
  readonly url: string;
  /** URL of the platform with the sandbox. */
  readonly sandboxUrl: string;
}

/** A user with a subscription. */
export interface Subscriber {
  readonly user: SignedIn;
  readonly customer: string;
  readonly subscription: string;
}

/** Simulates payers, banks and webhooks of a shop. */
export class Shopper {
  readonly stripe: Stripe;

  constructor(private readonly shop: Shop) {
    const reach: typeof fetch = (target, init) => {
      const { pathname, search } = new URL(target instanceof Request ? target.url : target);
      return fetch(`${shop.sandboxUrl}/sandbox${pathname}${search}`, init);
    };
    this.stripe = new Stripe(PAYMENTS.PAYPROC_SECRET_KEY, {
      httpClient: Stripe.createFetchHttpClient(reach),
      maxNetworkRetries: 0,
    });
  }

  /** Calls a test helper of the sandbox. */
  async ask(path: string, fields: Readonly<Record<string, string | number | boolean>> = {}): Promise<Json> {
    const body = new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const response = await fetch(`${this.shop.sandboxUrl}/sandbox/v1/test_helpers/sandbox/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${PAYMENTS.PAYPROC_SECRET_KEY}` },
      body,
    });
    const answer = (await response.json()) as Json;
    if (response.status !== 200) throw new Error(JSON.stringify(answer));
    return answer;
  }

  /** Sets the delivery of webhooks of the customer, or of all customers. */
  async deliverBy(fields: Readonly<Record<string, string | boolean>>): Promise<void> {
    await this.ask('delivery_rule', { url: this.webhookUrl, ...fields });
  }

  /** Delivers each event about these ids again, twenty times concurrently. @throws Error if there is none */
  async redeliverEventsOf(...ids: readonly string[]): Promise<void> {
    const { data: events } = await this.stripe.events.list({ limit: 100 });
    const about = events.filter(({ data }) => ids.some((id) => JSON.stringify(data.object).includes(id)));
    if (about.length === 0) throw new Error(`no event is about ${ids.join(', ')}`);
    const options = { url: this.webhookUrl, copies: 20, at_once: true };
    await Promise.all(about.map(({ id }) => this.ask(`events/${id}/deliver`, options)));
  }

  private get webhookUrl(): string {
    return `${this.shop.url}/api/billing/payproc/webhook/`;
  }

  signIn(): Promise<SignedIn> {
    return signIn(undefined, this.shop.url);
  }

  openPage(user: SignedIn, amount: number): Promise<OpenPage> {
    return openPage(user, amount, this.shop.url);
  }

  balanceOf(user: SignedIn): Promise<string> {
    return balanceOf(user, this.shop.url);
  }

  transactionOf(user: SignedIn, id: string): Promise<Json> {
    return transactionOf(user, id, this.shop.url);
  }

  async transactionsOf(user: SignedIn): Promise<Json> {
    const { body } = await call('GET /api/billing/transactions/', { token: user.token, url: this.shop.url });
    return body;
  }

  /** Opens a card payment that the client of the payer confirms. */
  async createTransaction(user: SignedIn, amount: number): Promise<Json> {
    const body = { payment_type: 'payproc', amount, currency: 'USD' };
    const reply = await call('POST /api/billing/transactions/', { token: user.token, body, url: this.shop.url });
    return reply.body;
  }

  async subscriptionOf(user: SignedIn): Promise<Json> {
    const path = 'GET /api/billing/payproc/active-subscription/';
    const { body } = await call(path, { token: user.token, url: this.shop.url });
    return body.subscription;
  }

  /** Reconciles with the processor, as the cron job does. */
  async reconcile(): Promise<void> {
    await asAdmin('mutation { adminReconcilePayments { replayed } }', {}, this.shop.url);
  }

  /** Opens the checkout page of a subscription. @returns the ids of customer and session */
  async openSubscription(user: SignedIn, price = PLUS): Promise<{ customer: string; session: string }> {
    const open = 'mutation ($price: String!) { createSubscription(priceId: $price) { sessionId } }';
    const { data } = await graphql(open, { token: user.token, variables: { price }, url: this.shop.url });
    const session: string = data.createSubscription.sessionId;
    const { customer } = await this.stripe.checkout.sessions.retrieve(session);
    return { customer: textOf(customer), session };
  }

  /** Subscribes, pays, and waits for the credits. */
  async subscribe(price = PLUS): Promise<Subscriber> {
    const user = await this.signIn();
    const { customer, session } = await this.openSubscription(user, price);
    await this.ask(`sessions/${session}/pay`);
    await until(async () => (await this.balanceOf(user)) !== '0');
    const { subscription } = await this.stripe.checkout.sessions.retrieve(session);
    return { user, customer, subscription: textOf(subscription) };
  }

  /** Returns the payment id of the latest invoice of a customer. */
  async latestPayment(customer: string): Promise<string> {
    const { data } = await this.stripe.invoices.list({ customer });
    const { data: payments } = await this.stripe.invoicePayments.list({ invoice: data[0]?.id ?? '' });
    return textOf(payments[0]?.payment.payment_intent);
  }
}

/** Returns an id as a string. @throws when it is not one */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`no id: ${JSON.stringify(value)}`);
  return value;
}

/** Waits until the condition is true. The timeout of jest ends an endless wait. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}
