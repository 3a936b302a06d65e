import type Stripe from 'stripe';
import type { SandboxStore } from '../sandbox-store.js';
import {
  currencyAt,
  integer,
  mergeMetadata,
  oneOf,
  part,
  pathsOf,
  requiredText,
  text,
  texts,
  type Form,
} from '../form.rules.js';
import { expireSession } from '../flow/checkout.js';
import { idOf, newId, wholeList, type InternalData } from '../sandbox-objects.js';
import { makePrice, makeProduct } from '../objects/catalogue.js';
import { METHOD_TYPES, methodsAmong } from '../objects/method.rules.js';
import { makeLineItem, makeSession } from '../objects/session.js';
import { missing, refuse } from '../refusal.js';
import type { Handler, Routes } from '../route.js';
import { equal, listRoute } from './list.js';
import { checkUrl } from './url.js';

const MODES = ['payment', 'subscription'] as const;

/** Lifetime of a session in seconds: minimum, and default, which is the maximum. Source: Stripe API, expires_at */
const LIFETIME_SECONDS = { min: 30 * 60, default: 24 * 3_600 } as const;

/** Minimum and maximum of a payment in cents. Source: Stripe API, Minimum and maximum charge amounts */
const AMOUNT_CENTS = { min: 50, max: 99_999_999 } as const;

/** Source: Stripe API, trial_period_days */
const MAX_TRIAL_DAYS = 730;

const createSession: Handler = async (store, { form }) => {
  const mode = oneOf(form, 'mode', MODES) ?? 'payment';
  const customer = text(form, 'customer') ?? null;
  const payer = customer === null ? undefined : (await store.get('customer', customer, 'customer')).object;
  const now = await store.timeOf(customer);
  const lines = await readLines(store, form, mode);
  if (mode === 'payment') checkAmount(lines.reduce((sum, { amount_total }) => sum + amount_total, 0));
  const email = payer?.email ?? text(form, 'customer_email') ?? null;
  const session = makeSession(
    {
      ...readAddresses(form),
      mode,
      lines,
      methods: readMethods(form),
      customer,
      email,
      reference: text(form, 'client_reference_id') ?? null,
      metadata: mergeMetadata({}, form),
      expiresAt: readExpiry(form, now),
      alwaysCustomer: text(form, 'customer_creation') === 'always',
      publicUrl: store.runtime.publicUrl,
    },
    now,
  );
  return store.add(session, { customer, internal: { lines, ...readPurpose(form) }, dueAt: session.expires_at });
};

function readAddresses(form: Form): { successUrl: string; cancelUrl: string | null } {
  const cancelUrl = text(form, 'cancel_url');
  return {
    successUrl: checkUrl(requiredText(form, 'success_url'), 'success_url'),
    cancelUrl: cancelUrl === undefined ? null : checkUrl(cancelUrl, 'cancel_url'),
  };
}

/** Data that a session copies to its payment or subscription. */
function readPurpose(form: Form): InternalData {
  return {
    paymentMetadata: mergeMetadata({}, part(form, 'payment_intent_data')),
    subscriptionMetadata: mergeMetadata({}, part(form, 'subscription_data')),
    trialDays: readTrial(form),
  };
}

function readTrial(form: Form): number {
  const param = 'subscription_data[trial_period_days]';
  const days = integer(form, param);
  if (days === undefined) return 0;
  if (days < 1 || days > MAX_TRIAL_DAYS) throw refuse({ message: `Trials have 1 to ${MAX_TRIAL_DAYS} days.`, param });
  return days;
}

/** @throws Refusal for amounts that cannot be paid */
export function checkAmount(cents: number, param = 'amount'): void {
  if (cents < AMOUNT_CENTS.min) {
    throw refuse({ message: 'Amount must be at least $0.50 usd', code: 'amount_too_small', param });
  }
  if (cents > AMOUNT_CENTS.max) {
    throw refuse({ message: 'Amount must be no more than $999,999.99', code: 'amount_too_large', param });
  }
}

function readExpiry(form: Form, now: number): number {
  const at = integer(form, 'expires_at') ?? now + LIFETIME_SECONDS.default;
  // Slightly less than half an hour is accepted, because clocks differ.
  if (at < now + LIFETIME_SECONDS.min - 60 || at > now + LIFETIME_SECONDS.default + 60) {
    const message =
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.';
    throw refuse({ message, param: 'expires_at' });
  }
  return at;
}

/**
 * The payment methods of a session: the allowed ones that the sandbox supports. Older API versions name them in
 * `payment_method_types`. @throws Refusal if none is left
 */
export function readMethods(form: Form): string[] {
  const allowed = [...texts(form, 'allowed_payment_method_types'), ...texts(form, 'payment_method_types')];
  const offered = methodsAmong(allowed);
  if (allowed.length === 0) return ['card'];
  if (offered.length === 0) {
    const message = `None of these payment methods is to be had in the sandbox, which has ${METHOD_TYPES.join(', ')}.`;
    throw refuse({ message, param: 'allowed_payment_method_types' });
  }
  return offered;
}

async function readLines(store: SandboxStore, form: Form, mode: (typeof MODES)[number]): Promise<Stripe.LineItem[]> {
  const lines: Stripe.LineItem[] = [];
  for (const path of pathsOf(form, 'line_items')) lines.push(await readLine(store, form, path));
  if (lines.length === 0) throw missing('line_items');
  const recurring = lines.filter(({ price }) => price?.type === 'recurring').length;
  if (mode === 'payment' && recurring > 0) {
    throw refuse({ message: 'You specified `payment` mode but passed a recurring price.', param: 'line_items' });
  }
  if (mode === 'subscription' && (recurring !== 1 || lines.length !== 1)) {
    throw refuse({ message: '`subscription` mode takes exactly one recurring price.', param: 'line_items' });
  }
  return lines;
}

async function readLine(store: SandboxStore, form: Form, path: string): Promise<Stripe.LineItem> {
  const id = text(form, `${path}[price]`);
  const price =
    id === undefined
      ? await readPrice(store, form, `${path}[price_data]`)
      : (await store.get('price', id, `${path}[price]`)).object;
  if (!price.active && id !== undefined) {
    throw refuse({ message: `The price specified is inactive: ${price.id}.`, param: `${path}[price]` });
  }
  const quantity = integer(form, `${path}[quantity]`) ?? 1;
  if (quantity < 1 || quantity > 10_000) throw refuse({ message: 'Invalid quantity.', param: `${path}[quantity]` });
  const product = await store.find('product', idOf(price.product) ?? '');
  return makeLineItem(price, quantity, product?.object.name ?? '');
}

/** Creates a price for this session only. */
async function readPrice(store: SandboxStore, form: Form, path: string): Promise<Stripe.Price> {
  const cents = integer(form, `${path}[unit_amount]`);
  if (cents === undefined || cents < 0) throw missing(`${path}[unit_amount]`);
  const currency = currencyAt(form, `${path}[currency]`);
  const product = text(form, `${path}[product]`) ?? (await readProduct(store, form, `${path}[product_data]`));
  const interval = text(form, `${path}[recurring][interval]`);
  const price = { id: newId('price_'), product, cents, currency, interval, active: false, metadata: {} };
  return store.add(makePrice(price, store.seconds()));
}

async function readProduct(store: SandboxStore, form: Form, path: string): Promise<string> {
  const name = requiredText(form, `${path}[name]`);
  const description = text(form, `${path}[description]`) ?? null;
  const metadata = mergeMetadata({}, part(form, path));
  const product = makeProduct({ id: newId('prod_', 14), name, description, metadata }, store.seconds());
  return (await store.add({ ...product, active: false })).id;
}

/** Routes of Checkout Sessions. */
export const CHECKOUT_ROUTES: Routes = {
  'POST /v1/checkout/sessions': createSession,
  'GET /v1/checkout/sessions': listRoute('checkout.session', '/v1/checkout/sessions', (form) => ({
    fields: equal(form, 'customer', 'payment_intent', 'subscription', 'status'),
  })),
  'GET /v1/checkout/sessions/{id}': async (store, { id }) => (await store.get('checkout.session', id)).object,
  'GET /v1/checkout/sessions/{id}/line_items': async (store, { id }) => {
    const { internal } = await store.get('checkout.session', id);
    return wholeList([...(internal.lines ?? [])], `/v1/checkout/sessions/${id}/line_items`);
  },
  'POST /v1/checkout/sessions/{id}': async (store, { id, form }) => {
    const { object: session } = await store.get('checkout.session', id);
    session.metadata = mergeMetadata(session.metadata ?? {}, form);
    await store.save(session);
    return session;
  },
  'POST /v1/checkout/sessions/{id}/expire': async (store, { id }) =>
    expireSession(store, (await store.get('checkout.session', id)).object),
};
