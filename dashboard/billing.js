import { attempt, card, element, field, tell } from './dom.js';

const STATEMENT = `query ($after: String) {
  statement(first: 20, after: $after) { lines { cursor amount isDebt balance reason createdAt } next }
}`;
const PLANS = `{
  subscriptionPlans { plans { name description priceId currency amount interval creditsPerBilling } }
  activeSubscription { subscription { planName status currentPeriodEnd cancelAtPeriodEnd } }
}`;
const BUY = 'mutation ($amount: Decimal!) { createCheckoutSession(amount: $amount) { checkoutUrl } }';
const SUBSCRIBE = 'mutation ($price: String!) { createSubscription(priceId: $price) { checkoutUrl } }';
const PORTAL = 'mutation { openCustomerPortal { portalUrl } }';

/** What hosted pages say when they lead back here. */
const OUTCOMES = {
  success: 'Thank you! The credits are there as soon as the payment is confirmed.',
  cancelled: 'Nothing was paid.',
};

/** Ways to buy credits, and every movement of them. */
export function billing(session) {
  const outcome = OUTCOMES[new URLSearchParams(location.search).get('checkout') ?? ''];
  if (outcome) tell(outcome);
  return element('div', { class: 'side' }, buyCard(session), plansCard(session), statementCard(session));
}

function buyCard({ ask }) {
  const amount = element('input', {
    name: 'amount',
    type: 'number',
    min: 20,
    max: 10_000,
    step: '0.01',
    value: 20,
    required: true,
  });
  const form = element(
    'form',
    {},
    field('US dollars', amount, '20 to 10000; one dollar buys one credit.'),
    element('button', { type: 'submit' }, 'Buy credits'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(form, async () => {
      const { createCheckoutSession } = await ask(BUY, { amount: amount.value });
      location.assign(createCheckoutSession.checkoutUrl);
    });
  });
  return card('Buy credits', form);
}

function plansCard({ ask }) {
  const list = element('ul', { class: 'lines' }, element('li', { class: 'faint' }, 'Loading…'));
  const show = async () => {
    try {
      const { subscriptionPlans, activeSubscription } = await ask(PLANS);
      const { subscription } = activeSubscription;
      const lines = subscription ? [subscribedLine(ask, subscription)] : subscriptionPlans.plans.map(planLine(ask));
      list.replaceChildren(...(lines.length > 0 ? lines : [element('li', { class: 'faint' }, 'No plan is on offer.')]));
    } catch (error) {
      const again = element('button', { type: 'button', class: 'quiet', onclick: show }, 'Try again');
      list.replaceChildren(element('li', { class: 'faint' }, error.message, ' ', again));
    }
  };
  void show();
  return card('Subscription', list);
}

function subscribedLine(ask, { planName, status, currentPeriodEnd, cancelAtPeriodEnd }) {
  const end = currentPeriodEnd ? new Date(currentPeriodEnd).toLocaleDateString() : '';
  const about = [status, end && `${cancelAtPeriodEnd ? 'ends' : 'renews'} ${end}`].filter(Boolean).join(' · ');
  return line(planName || 'Your plan', about, 'Change', async () => (await ask(PORTAL)).openCustomerPortal.portalUrl);
}

function planLine(ask) {
  return ({ name, priceId, currency, amount, interval, creditsPerBilling }) => {
    const about = `${creditsPerBilling} credits for ${amount} ${currency.toUpperCase()} every ${interval}`;
    const open = async () => (await ask(SUBSCRIBE, { price: priceId })).createSubscription.checkoutUrl;
    return line(name, about, 'Subscribe', open);
  };
}

/** A line with a button that leads to the page which `open` tells. */
function line(title, about, words, open) {
  const press = ({ currentTarget }) => attempt(currentTarget, async () => location.assign(await open()));
  return element(
    'li',
    {},
    element('div', {}, element('strong', {}, title), element('small', {}, about)),
    element('button', { type: 'button', class: 'second', onclick: press }, words),
  );
}

function statementCard({ ask }) {
  const list = element('ul', { class: 'lines' });
  const more = element('button', { type: 'button', class: 'quiet', hidden: true }, 'Older');
  let after = null;
  const show = async () => {
    const { statement } = await ask(STATEMENT, { after });
    list.append(...statement.lines.map(statementLine));
    if (list.childElementCount === 0) list.append(element('li', { class: 'faint' }, 'Nothing has moved yet.'));
    after = statement.next;
    more.hidden = after === null;
  };
  more.addEventListener('click', () => void attempt(more, show));
  void attempt(more, show);
  return card('Statement', list, more);
}

function statementLine({ amount, isDebt, balance, reason, createdAt }) {
  const at = new Date(createdAt);
  return element(
    'li',
    {},
    element(
      'div',
      {},
      element('strong', {}, reason),
      element('small', {}, element('time', { datetime: at.toISOString() }, at.toLocaleString())),
    ),
    element('span', { class: 'aside' }, `${isDebt ? 'debt ' : ''}${amount} → ${balance}`),
  );
}
