import type Stripe from 'stripe';
import type { SandboxStore, Entry } from '../sandbox-store.js';
import { text, type Form } from '../form.rules.js';
import { paySession, settleSession, waitsForBank } from '../flow/checkout.js';
import { methodFor, methodLabel, methodsAmong, payingBy, type MethodType } from '../objects/method.rules.js';
import { html, money, page, pageHeaders, type Html } from './html.rules.js';
import { goTo, type PageAnswer } from './answer.js';

type Session = Stripe.Checkout.Session;

/** Shows the page on which a session is paid. */
export async function showCheckout(store: SandboxStore, id: string, form: Form): Promise<PageAnswer> {
  const { object: session, hidden } = await store.get('checkout.session', id);
  const rows = (hidden.lines ?? []).map(
    ({ description, quantity, amount_total, currency }) =>
      html`<tr>
        <td>${description ?? ''}</td>
        <td>${quantity ?? 1}</td>
        <td>${money(amount_total, currency)}</td>
      </tr>`,
  );
  const total = money(session.amount_total, session.currency);
  const [line] = hidden.lines ?? [];
  const content = html` <table>
      <thead>
        <tr>
          <th scope="col">What</th>
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
            Total${session.mode === 'subscription' ? ` every ${line?.price?.recurring?.interval ?? 'month'}` : ''}
          </th>
          <td><strong>${total}</strong></td>
        </tr>
      </tfoot>
    </table>
    ${text(form, 'declined') ? html`<p class="alert" role="alert">Your card was declined. Try another way to pay.</p>` : undefined}
    ${actions(session, total)}`;
  const headers = pageHeaders([successUrl(session), session.cancel_url]);
  return { status: 200, headers, body: page('Checkout', content) };
}

function actions(session: Session, total: string): Html {
  if (session.status === 'expired')
    return html`<p class="alert" role="status">This checkout has expired.</p>
      ${back(session.cancel_url, 'Go back')}`;
  if (session.status === 'complete') return done(session);
  const ways = methodsAmong(session.payment_method_types).map(
    (type) =>
      html`<button class="main" name="action" value="${BY}${type}">Pay ${total} by ${methodLabel(type)}</button>`,
  );
  const decline = session.payment_method_types.includes('card')
    ? html`<button name="action" value="decline">Pay by a card that is declined</button>`
    : undefined;
  return html`<form method="post">${ways} ${decline}</form>
    ${session.cancel_url === null ? undefined : html`<form method="post"><button name="action" value="cancel">Cancel and go back</button></form>`}`;
}

function done(session: Session): Html {
  const waits = session.payment_status === 'unpaid';
  const choice = html`<p role="status">The bank has not paid yet. What does it do?</p>
    <form method="post">
      <button class="main" name="action" value="settle">The bank pays</button>
      <button name="action" value="refuse">The bank refuses</button>
    </form>`;
  return html`${waits ? choice : html`<p role="status">This is paid. Thank you!</p>`}${back(successUrl(session), 'Continue')}`;
}

function back(url: string | null, label: string): Html {
  return url === null ? html`` : html`<p><a href="${url}" rel="noreferrer">${label}</a></p>`;
}

type Button = (store: SandboxStore, entry: Entry<'checkout.session'>, here: string) => Promise<string>;

/** Prefix of the method in the name of its pay button. */
const BY = 'by_';

/** Pays by one of the session's methods that settles at once, or by a delayed one. */
function payButton(isDelayed: boolean): Button {
  return (store, entry, here) => payBy(methodFor(entry.object.payment_method_types, isDelayed))(store, entry, here);
}

function payBy(type: MethodType): Button {
  return async (store, entry, here) => successUrl(await paySession(store, entry, payingBy(type))) ?? here;
}

/** The action and the return URL of each button. */
const BUTTONS: Readonly<Record<string, Button>> = {
  pay: payButton(false),
  delay: payButton(true),
  decline: async (store, entry, here) => {
    const { status } = await paySession(store, entry, { type: 'card', outcome: 'declines' });
    return status === 'open' ? `${here}?declined=1` : here;
  },
  settle: (store, entry, here) => settleOnce(store, entry, { succeeds: true, here }),
  refuse: (store, entry, here) => settleOnce(store, entry, { succeeds: false, here }),
  cancel: async (_store, { object: { status, cancel_url } }, here) => (status === 'open' ? (cancel_url ?? here) : here),
};

/** Runs the action of a button. Repeating it changes nothing: a paid session redirects as after the payment. */
export async function submitCheckout(store: SandboxStore, id: string, form: Form): Promise<PageAnswer> {
  const entry = await store.get('checkout.session', id);
  const here = `${store.runtime.publicUrl}/sandbox/checkout/${encodeURIComponent(id)}`;
  const name = text(form, 'action') ?? '';
  const [way] = methodsAmong(entry.object.payment_method_types).filter((type) => name === BY + type);
  const button = way ? payBy(way) : Object.hasOwn(BUTTONS, name) ? BUTTONS[name] : undefined;
  if (!button || entry.object.status === 'expired') return goTo(here);
  return goTo(await button(store, entry, here));
}

async function settleOnce(
  store: SandboxStore,
  { object: session }: Entry<'checkout.session'>,
  { succeeds, here }: { readonly succeeds: boolean; readonly here: string },
): Promise<string> {
  // An ended session does not change; the page shows its state.
  if (await waitsForBank(store, session)) await settleSession(store, session, succeeds);
  return here;
}

/** The success URL of a paid session, with the session id filled in. */
function successUrl({ success_url, id }: Session): string | null {
  return success_url?.replaceAll('{CHECKOUT_SESSION_ID}', id) ?? null;
}
