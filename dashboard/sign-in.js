import { attempt, card, element, field } from './dom.js';
import { ask } from './graphql.js';

const REQUEST = `mutation ($address: String!, $substrateAddress: String!) {
  requestChallenge(address: $address, substrateAddress: $substrateAddress) { challenge message }
}`;

const SIGN_IN = `mutation ($address: String!, $substrateAddress: String!, $challenge: String, $signature: String!) {
  signIn(address: $address, substrateAddress: $substrateAddress, challenge: $challenge, signature: $signature) { token }
}`;

/**
 * The two ways to sign in: an API token, or a wallet that the browser offers.
 * @param {(token: string) => Promise<void>} signIn throws when the token is not valid
 */
export function signInPage(signIn) {
  return element(
    'div',
    { class: 'welcome' },
    element('h1', {}, 'Your cloud, one graph'),
    element('p', { class: 'lead' }, 'Credits, machines, a private network and encrypted folders, live as they change.'),
    element('div', { class: 'ways' }, tokenForm(signIn), walletForm(signIn)),
  );
}

function tokenForm(signIn) {
  const token = element('input', {
    name: 'token',
    type: 'password',
    required: true,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const form = element(
    'form',
    {},
    field('API token', token, 'Kept in this tab only, until you close it or sign out.'),
    element('button', { type: 'submit' }, 'Sign in with the token'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(form, () => signIn(token.value.trim().replace(/^(?:Token|Bearer)\s+/i, '')));
  });
  return card('With an API token', form);
}

function walletForm(signIn) {
  const address = element('input', {
    name: 'substrate',
    required: true,
    autocomplete: 'off',
    spellcheck: 'false',
    pattern: '[1-9A-HJ-NP-Za-km-z]{46,50}',
    placeholder: '5…',
  });
  const form = element(
    'form',
    {},
    field('SS58 address', address, 'The Substrate account that your files and folders belong to.'),
    element('button', { type: 'submit' }, 'Sign in with the wallet'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(form, async () => signIn(await tokenByWallet(address.value.trim())));
  });
  return card('With an Ethereum wallet', form);
}

async function tokenByWallet(substrateAddress) {
  const wallet = window.ethereum;
  if (!wallet) throw new Error('This browser offers no Ethereum wallet; install one, or sign in with an API token.');
  const [address] = await inWallet(wallet, 'eth_requestAccounts');
  if (!address) throw new Error('The wallet named no account.');
  const { requestChallenge } = await ask(null, REQUEST, { address, substrateAddress });
  const signature = await inWallet(wallet, 'personal_sign', [hex(requestChallenge.message), address]);
  const { challenge } = requestChallenge;
  const { signIn } = await ask(null, SIGN_IN, { address, substrateAddress, challenge, signature });
  return signIn.token;
}

/** Source: EIP-1193, code 4001: the user said no. */
async function inWallet(wallet, method, params = []) {
  try {
    return await wallet.request({ method, params });
  } catch (error) {
    throw new Error(error?.code === 4001 ? 'You declined in the wallet.' : 'The wallet could not do it.', {
      cause: error,
    });
  }
}

function hex(text) {
  const bytes = new TextEncoder().encode(text);
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
