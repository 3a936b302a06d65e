import { account, balanceCard } from './account.js';
import { billing } from './billing.js';
import { element, tell } from './dom.js';
import { ask } from './graphql.js';
import { Live } from './live.js';
import { network } from './network.js';
import { offers } from './offers.js';
import { forgetToken, storedToken, storeToken } from './session.js';
import { signInPage } from './sign-in.js';
import { storageCard } from './storage.js';

const WHO = '{ me { id username substrateAddress roles storageUsage { storageBytes periodEnd } } }';

/** Shows the sign-in page, or the dashboard to whom this tab knows. */
function start() {
  const content = /** @type {HTMLElement} */ (document.getElementById('content'));
  const pill = /** @type {HTMLElement} */ (document.getElementById('connection'));
  const signOutButton = /** @type {HTMLElement} */ (document.getElementById('sign-out'));
  /** What ends the signed-in view. */
  let leave = () => {};

  const signIn = async (token) => {
    const { me } = await ask(token, WHO);
    storeToken(token);
    leave();
    const live = new Live(token, { connection: (connection) => showConnection(pill, connection), signedOut: signOut });
    leave = () => live.close();
    signOutButton.hidden = false;
    document.getElementById('notices')?.replaceChildren();
    content.replaceChildren(...dashboard({ live, ask: askAs(token, signOut) }, me));
  };

  const signOut = (sentence) => {
    forgetToken();
    leave();
    pill.hidden = true;
    signOutButton.hidden = true;
    content.replaceChildren(signInPage(signIn));
    content.focus();
    if (sentence) tell(sentence, 'bad');
  };

  signOutButton.addEventListener('click', () => signOut());
  const stored = storedToken();
  if (stored === null) return signOut();
  return signIn(stored).catch((error) => {
    // Only a refusal ends the session; a server that is away may come back.
    if (error.code === 'UNAUTHENTICATED') return signOut(error.message);
    signOutButton.hidden = false;
    return content.replaceChildren(awayPage(error.message));
  });
}

/** Asks with the token, and signs out when it is refused. */
function askAs(token, signOut) {
  return async (query, variables) => {
    try {
      return await ask(token, query, variables);
    } catch (error) {
      if (error.code === 'UNAUTHENTICATED') signOut();
      throw error;
    }
  };
}

/** Whether this is the address that hosted pages and notifications lead back to. */
function isBilling() {
  return /\/billing\/?$/.test(location.pathname);
}

function billingPage(session) {
  const side = element('div', { class: 'side' }, balanceCard(session.live), storageCard(session));
  return [element('h1', { class: 'unseen' }, 'Billing'), element('div', { class: 'columns' }, side, billing(session))];
}

function dashboard(session, me) {
  if (isBilling()) return billingPage(session);
  const side = element('div', { class: 'side' }, ...account(session, me), ...offers(session));
  return [
    element('h1', { class: 'unseen' }, 'Dashboard'),
    element('div', { class: 'columns' }, side, network(session)),
  ];
}

function awayPage(sentence) {
  const again = element('button', { type: 'button', onclick: () => location.reload() }, 'Try again');
  return element('div', { class: 'welcome' }, element('p', { class: 'lead' }, sentence), again);
}

function showConnection(pill, { state }) {
  const words = {
    connecting: 'Connecting…',
    live: 'Live',
    closed: 'Connection lost, trying again',
  };
  pill.textContent = words[state];
  pill.className = `pill ${state}`;
  pill.hidden = false;
}

void start();
