import { useEffect, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { useStore } from '../../runtime/store';
import { Button } from '../../components/forms/button';
import { TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { Problem } from '../../components/forms/problem';
import { WalletChoice } from '../../components/wallet-choice';
import { endProviderSignIn, startProviderSignIn } from '../../session/provider-sign-in';
import { beginSession, signOutMessage } from '../../session/session';
import { checkedToken, PROVIDERS, tokenByCode, tokenByWallets } from './operations';
import './sign-in.css';

/** The page for who is not signed in. */
export function SignInPage() {
  const sentence = useStore(signOutMessage);
  const failure = useReturnFromProvider();
  useEffect(() => {
    document.title = 'Sign in · Archipelago';
  }, []);
  return (
    <main className="sign-in" id="content">
      <div className="sign-in-box">
        <div className="sign-in-head">
          <img src="/dashboard/icon.svg" alt="" width="40" height="40" />
          <h1>Sign in to Archipelago</h1>
          <p className="muted">Credits, machines, a private network and encrypted folders, live as they change.</p>
        </div>
        <Problem error={failure ?? (sentence || undefined)} />
        <div className="card sign-in-ways">
          <section className="sign-in-way">
            <h2>With a wallet</h2>
            <WalletChoice
              action="Sign in with"
              onChoose={async (wallets) => beginSession(await tokenByWallets(wallets), { isKept: false })}
            />
          </section>
          <Providers />
          <TokenSignIn />
        </div>
      </div>
    </main>
  );
}

function Providers() {
  const [{ data }] = useQuery({ query: PROVIDERS });
  const names = data?.signInProviders ?? [];
  if (names.length === 0) return null;
  const start = (name: string) => {
    const next = `${location.origin}${location.pathname}?state=${startProviderSignIn()}`;
    location.assign(`/accounts/${encodeURIComponent(name)}/login/?next=${encodeURIComponent(next)}`);
  };
  return (
    <section className="sign-in-way" aria-label="With another account">
      {names.map((name) => (
        <Button key={name} onPress={() => start(name)}>
          Continue with {name.charAt(0).toUpperCase() + name.slice(1)}
        </Button>
      ))}
    </section>
  );
}

function TokenSignIn() {
  const client = useClient();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <section className="sign-in-way">
        <Button kind="quiet" onPress={() => setOpen(true)}>
          Use an API token
        </Button>
      </section>
    );
  const submit = async () => beginSession(await checkedToken(client, text), { isKept: true });
  return (
    <section className="sign-in-way">
      <Form submit="Sign in with the token" label="With an API token" onSubmit={submit}>
        <TextField
          label="API token"
          type="password"
          hint="It starts a session of this browser, which ends with the token. The token itself is not kept."
          required
          autoFocus
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Form>
    </section>
  );
}

const NOT_STARTED_HERE = 'This sign-in was not started in this tab; start again.';

/** Completes the sign-in when a provider leads back here with a code. Returns why it failed. */
function useReturnFromProvider(): unknown {
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    const url = new URL(location.href);
    const { code, error, state } = Object.fromEntries(url.searchParams);
    if (!code && !error) return;
    for (const name of ['code', 'error', 'error_description', 'state']) url.searchParams.delete(name);
    history.replaceState(null, '', url);
    if (!endProviderSignIn(state)) return setFailure(NOT_STARTED_HERE);
    if (!code) return setFailure(`The provider refused the sign-in (${error ?? ''}).`);
    tokenByCode(code)
      .then((token) => beginSession(token, { isKept: false }))
      .catch(setFailure);
  }, []);
  return failure;
}
