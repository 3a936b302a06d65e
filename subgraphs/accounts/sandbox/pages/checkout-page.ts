import type Stripe from 'stripe';
import type { SandboxStore, Entry } from '../sandbox-store.js';
import { text, type Form } from '../form.rules.js';
import { paySession, settleSession, isPaymentPending } from '../flow/checkout.js';
import { methodFor, methodLabel, methodsAmong, successfulMethod, type MethodType } from '../objects/method.rules.js';
import { html, money, page, pageHeaders, type Html } from './html.rules.js';
import { redirect, type PageAnswer } from './answer.js';

type Session = Stripe.Checkout.Session;

/** Shows the page on which a session is paid. */
export async function showCheckout(store: SandboxStore, id: string, form: Form): Promise<PageAnswer> {
  const { object: session, internal } = await store.get('checkout.session', id);
  const rows = (internal.lines ?? []).map(
    ({ description, quantity, amount_total, currency }) =>
      html`<tr>
        <td>${description ?? ''}</td>
        <td>${quantity ?? 1}</td>
        <td>${money(amount_total, currency)}</td>
      </tr>`,
  );
  const total = money(session.amount_total, session.currency);
  const [line] = internal.lines ?? [];
  const content = html` <table>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col">Quantity</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colspan="2">
            Total${session.mode === 'subscription' ? ` per ${line?.price?.recurring?.interval ?? 'month'}` : ''}
          </th>
          <td><strong>${total}</strong></td>
        </tr>
      </tfoot>
    </table>
    ${text(form, 'declined') ? html`<p class="alert" role="alert">Your card was declined. Try another payment method.</p>` : undefined}
    ${actions(session, total)}`;
  const headers = pageHeaders([successUrl(session), session.cancel_url]);
  return { status: 200, headers, body: page('Checkout', content) };
}

function actions(session: Session, total: string): Html {
  if (session.status === 'expired')
    return html`<p class="alert" role="status">This checkout has expired.</p>
      ${back(session.cancel_url, 'Go back')}`;
  if (session.status === 'complete') return done(session);
  const buttons = methodsAmong(session.payment_method_types).map(
    (type) =>
      html`<button class="main" name="action" value="${PAY_PREFIX}${type}">
        Pay ${total} with ${methodLabel(type)}
      </button>`,
  );
  const decline = session.payment_method_types.includes('card')
    ? html`<button name="action" value="decline">Pay with a declined card</button>`
    : undefined;
  return html`<form method="post">${buttons} ${decline}</form>
    ${session.cancel_url === null ? undefined : html`<form method="post"><button name="action" value="cancel">Cancel and go back</button></form>`}`;
}

function done(session: Session): Html {
  const isPending = session.payment_status === 'unpaid';
  const choice = html`<p role="status">The bank payment is pending. Choose its outcome:</p>
    <form method="post">
      <button class="main" name="action" value="settle">Payment succeeds</button>
      <button name="action" value="refuse">Payment fails</button>
    </form>`;
  return html`${isPending ? choice : html`<p role="status">Payment complete.</p>`}${back(successUrl(session), 'Continue')}`;
}

function back(url: string | null, label: string): Html {
  return url === null ? html`` : html`<p><a href="${url}" rel="noreferrer">${label}</a></p>`;
}

type Button = (store: SandboxStore, entry: Entry<'checkout.session'>, pageUrl: string) => Promise<string>;

/** Prefix of the method in the name of its pay button. */
const PAY_PREFIX = 'by_';

/** Pays by one of the session's methods that settles at once, or by a delayed one. */
function payButton(isDelayed: boolean): Button {
  return (store, entry, pageUrl) =>
    payBy(methodFor(entry.object.payment_method_types, isDelayed))(store, entry, pageUrl);
}

function payBy(type: MethodType): Button {
  return async (store, entry, pageUrl) => successUrl(await paySession(store, entry, successfulMethod(type))) ?? pageUrl;
}

/** The action and the return URL of each button. */
const BUTTONS: Readonly<Record<string, Button>> = {
  pay: payButton(false),
  delay: payButton(true),
  decline: async (store, entry, pageUrl) => {
    const { status } = await paySession(store, entry, { type: 'card', outcome: 'declines' });
    return status === 'open' ? `${pageUrl}?declined=1` : pageUrl;
  },
  settle: (store, entry, pageUrl) => settleOnce(store, entry, { succeeds: true, pageUrl }),
  refuse: (store, entry, pageUrl) => settleOnce(store, entry, { succeeds: false, pageUrl }),
  cancel: async (_store, { object: { status, cancel_url } }, pageUrl) =>
    status === 'open' ? (cancel_url ?? pageUrl) : pageUrl,
};

/** Runs the action of a button. Repeating it changes nothing: a paid session redirects as after the payment. */
export async function submitCheckout(store: SandboxStore, id: string, form: Form): Promise<PageAnswer> {
  const entry = await store.get('checkout.session', id);
  const pageUrl = `${store.runtime.publicUrl}/sandbox/checkout/${encodeURIComponent(id)}`;
  const name = text(form, 'action') ?? '';
  const [method] = methodsAmong(entry.object.payment_method_types).filter((type) => name === PAY_PREFIX + type);
  const button = method ? payBy(method) : Object.hasOwn(BUTTONS, name) ? BUTTONS[name] : undefined;
  if (!button || entry.object.status === 'expired') return redirect(pageUrl);
  return redirect(await button(store, entry, pageUrl));
}

async function settleOnce(
  store: SandboxStore,
  { object: session }: Entry<'checkout.session'>,
  { succeeds, pageUrl }: { readonly succeeds: boolean; readonly pageUrl: string },
): Promise<string> {
  // An ended session does not change; the page shows its state.
  if (await isPaymentPending(store, session)) await settleSession(store, session, succeeds);
  return pageUrl;
}

/** The success URL of a paid session, with the session id filled in. */
function successUrl({ success_url, id }: Session): string | null {
  return success_url?.replaceAll('{CHECKOUT_SESSION_ID}', id) ?? null;
}
