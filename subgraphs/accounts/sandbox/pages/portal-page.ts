import type Stripe from 'stripe';
import { setCancellation } from '../api/subscription.js';
import type { SandboxStore, Entry } from '../sandbox-store.js';
import { text, type Form } from '../form.rules.js';
import { changePlan } from '../flow/plan-change.js';
import { idOf } from '../sandbox-objects.js';
import { itemOf } from '../objects/subscription.js';
import { noSuch } from '../refusal.js';
import { redirect, type PageAnswer } from './answer.js';
import { day, html, money, page, pageHeaders, type Html } from './html.rules.js';

/** Lifetime of a portal session in seconds. */
const TTL_SECONDS = 24 * 3_600;

const DONE: Readonly<Record<string, string>> = {
  cancel: 'Your subscription ends with its period.',
  resume: 'Your subscription continues.',
  change: 'Your plan has changed.',
};

/** Shows the page on which a customer manages subscriptions. */
export async function showPortal(store: SandboxStore, id: string, form: Form): Promise<PageAnswer> {
  const session = await takeSession(store, id);
  const subscriptions = await store.all('subscription', { customer: session.customer });
  const prices = await store.all('price', { active: true, type: 'recurring' });
  const names = new Map((await store.all('product', {})).map((product) => [product.id, product.name]));
  const nameOf = (price: Stripe.Price) => {
    const { interval = 'month' } = price.recurring ?? {};
    return `${names.get(idOf(price.product) ?? '') ?? price.id}, ${money(price.unit_amount, price.currency)} every ${interval}`;
  };
  const options = prices.map((price) => ({ id: price.id, name: nameOf(price) }));
  const shown = subscriptions.toReversed().map((subscription) => show(subscription, nameOf, options));
  const done = text(form, 'done') ?? '';
  const said = Object.hasOwn(DONE, done) ? DONE[done] : undefined;
  const content = html` ${said === undefined ? undefined : html`<p role="status">${said}</p>`}
  ${shown.length > 0 ? shown : html`<p class="note">There is no subscription.</p>`}
  ${session.return_url === null ? undefined : html`<p><a href="${session.return_url}" rel="noreferrer">Return</a></p>`}`;
  return { status: 200, headers: pageHeaders([]), body: page('Your subscriptions', content) };
}

function show(
  subscription: Stripe.Subscription,
  nameOf: (price: Stripe.Price) => string,
  options: readonly { readonly id: string; readonly name: string }[],
): Html {
  const item = itemOf(subscription);
  const title = html`<h2>${nameOf(item.price)}</h2>`;
  if (subscription.status === 'canceled')
    return html`${title}
      <p class="note">Ended on ${day(subscription.ended_at ?? 0)}.</p>`;
  const ends = subscription.cancel_at_period_end;
  const others = options.filter(({ id }) => id !== item.price.id);
  return html`${title}
    <p>${subscription.status}; ${ends ? 'ends' : 'renews'} on ${day(item.current_period_end)}.</p>
    <form method="post">
      <input type="hidden" name="subscription" value="${subscription.id}" />
      ${
        ends
          ? html`<button class="main" name="action" value="resume">Keep the subscription</button>`
          : html`<button name="action" value="cancel">Cancel at the end of the period</button>`
      }
    </form>
    <form method="post">
      <input type="hidden" name="subscription" value="${subscription.id}" />
      <label for="price-${subscription.id}">Other plan</label>
      <select id="price-${subscription.id}" name="price">
        ${others.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}
      </select>
      <button name="action" value="change">Change plan</button>
    </form>`;
}

/** Runs the action of a button, for subscriptions of the session's customer only. */
export async function submitPortal(store: SandboxStore, id: string, form: Form): Promise<PageAnswer> {
  const session = await takeSession(store, id);
  const entry = await store.get('subscription', text(form, 'subscription') ?? '');
  const { object: subscription } = entry;
  if (subscription.customer !== session.customer) throw noSuch('subscription', subscription.id);
  const pageUrl = `${store.runtime.publicUrl}/sandbox/portal/${encodeURIComponent(id)}`;
  const action = text(form, 'action') ?? '';
  if (subscription.status === 'canceled' || !Object.hasOwn(DONE, action)) return redirect(pageUrl);
  if (action === 'change') await change(store, entry, text(form, 'price') ?? '');
  else await setCancellation(store, subscription, action === 'cancel');
  return redirect(`${pageUrl}?done=${action}`);
}

async function change(store: SandboxStore, entry: Entry<'subscription'>, id: string): Promise<void> {
  const { object: price } = await store.get('price', id);
  const item = itemOf(entry.object);
  if (!price.active || price.type !== 'recurring' || price.id === item.price.id) return;
  await changePlan(store, entry, { price, quantity: item.quantity ?? 1, proration: 'always_invoice' });
}

async function takeSession(store: SandboxStore, id: string): Promise<Stripe.BillingPortal.Session> {
  const { object: session } = await store.get('billing_portal.session', id);
  if (session.created + TTL_SECONDS < store.seconds()) throw noSuch('billing_portal session', id);
  return session;
}
