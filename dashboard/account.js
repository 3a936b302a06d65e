import { card, element } from './dom.js';
import { storageSummary } from './storage.js';

const BALANCE = 'subscription { creditBalanceChanged { balance lastUpdated } }';

/** Who is signed in, and their credits as they change. */
export function account({ live }, me) {
  return [whoCard(me), balanceCard(live)];
}

function whoCard({ username, substrateAddress, roles, storageUsage }) {
  const facts = [
    ['Name', element('code', {}, username)],
    ['SS58 address', substrateAddress ? element('code', {}, substrateAddress) : 'none yet'],
    ['Roles', roles.length > 0 ? roles.join(', ').toLowerCase() : 'user'],
    ['Storage used', storageSummary(storageUsage)],
  ];
  return card(
    'You',
    element('dl', {}, ...facts.flatMap(([term, value]) => [element('dt', {}, term), element('dd', {}, value)])),
  );
}

/** The credits as they change. */
export function balanceCard(live) {
  const amount = element('p', { class: 'amount', 'aria-live': 'polite' }, '…');
  const since = element('p', { class: 'faint' });
  live.subscribe({
    query: BALANCE,
    next: ({ creditBalanceChanged: { balance, lastUpdated } }) => {
      amount.textContent = grouped(balance);
      amount.classList.remove('fresh');
      requestAnimationFrame(() => amount.classList.add('fresh'));
      since.textContent = `since ${new Date(lastUpdated).toLocaleString()}`;
    },
    refused: ({ message }) => {
      amount.textContent = '–';
      since.textContent = message;
    },
  });
  return card('Credits', amount, since);
}

/** The decimal with its thousands apart, digit for digit: no float on the way. */
function grouped(decimal) {
  const [whole = '', part] = decimal.split('.');
  const digits = part?.replace(/0+$/, '');
  return whole.replace(/\B(?=(\d{3})+$)/g, '\u202f') + (digits ? `.${digits}` : '');
}
