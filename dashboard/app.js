import { account } from './account.js';
import { element, tell } from './dom.js';
import { ask } from './graphql.js';
import { Live } from './live.js';
import { network } from './network.js';
import { offers } from './offers.js';
import { forgetToken, storedToken, storeToken } from './session.js';
import { signInPage } from './sign-in.js';

const WHO = '{ me { id username substrateAddress roles } }';

const content = /** @type {HTMLElement} */ (document.getElementById('content'));
const pill = /** @type {HTMLElement} */ (document.getElementById('connection'));
const signOutButton = /** @type {HTMLElement} */ (document.getElementById('sign-out'));

/** What ends the signed-in view; undefined while nobody is signed in. */
let leave;

async function signIn(token) {
  const { me } = await ask(token, WHO);
  storeToken(token);
  showSignedIn(token, me);
}

function signOut(sentence) {
  forgetToken();
  leave?.();
  leave = undefined;
  pill.hidden = true;
  signOutButton.hidden = true;
  content.replaceChildren(signInPage(signIn));
  content.focus();
  if (sentence) tell(sentence, 'bad');
}

function showSignedIn(token, me) {
  leave?.();
  const live = new Live(token, { connection: showConnection, signedOut: signOut });
  leave = () => live.close();
  const session = {
    live,
    ask: async (query, variables) => {
      try {
        return await ask(token, query, variables);
      } catch (error) {
        if (error.code === 'UNAUTHENTICATED') signOut();
        throw error;
      }
    },
  };
  signOutButton.hidden = false;
  content.replaceChildren(
    element('h1', { class: 'unseen' }, 'Dashboard'),
    element(
      'div',
      { class: 'columns' },
      element('div', { class: 'side' }, ...account(session, me), ...offers(session)),
      network(session),
    ),
  );
}

function showConnection({ state, retryMs }) {
  const words = {
    connecting: 'Connecting…',
    live: 'Live',
    closed: `Reconnecting in ${Math.ceil((retryMs ?? 0) / 1000)} s`,
  };
  pill.textContent = words[state];
  pill.className = `pill ${state}`;
  pill.hidden = false;
}

signOutButton.addEventListener('click', () => signOut());

const stored = storedToken();
if (stored === null) signOut();
else
  signIn(stored).catch((error) => {
    // Only a refusal ends the session; a server that is away may come back.
    if (error.code === 'UNAUTHENTICATED') return signOut(error.message);
    content.replaceChildren(
      element(
        'div',
        { class: 'welcome' },
        element('p', { class: 'lead' }, error.message),
        element('button', { type: 'button', onclick: () => location.reload() }, 'Try again'),
      ),
    );
    signOutButton.hidden = false;
  });
