import { Wallet } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { Button } from '../../components/button';
import { SelectField, TextField } from '../../components/fields';
import { Problem } from '../../components/states';
import {
  substrateAccounts,
  substrateWallets,
  watchEthereumWallets,
  type EthereumWallet,
  type SubstrateAccount,
} from '../../session/wallets';
import { tokenByWallets } from './operations';

/** Sign-in with an Ethereum wallet and the SS58 account that owns the files: of a Substrate wallet, or typed where none is. */
export function WalletSignIn({ onToken }: { readonly onToken: (token: string) => Promise<void> }) {
  const client = useClient();
  const wallets = useEthereumWallets();
  const [substrate, setSubstrate] = useState<SubstrateAccount | string>('');
  const [error, setError] = useState<unknown>();
  const isReady = typeof substrate !== 'string' || /^[1-9A-HJ-NP-Za-km-z]{46,50}$/.test(substrate);
  const signIn = async (ethereum: EthereumWallet) => {
    setError(undefined);
    try {
      await onToken(await tokenByWallets(client, { ethereum, substrate }));
    } catch (failure) {
      setError(failure);
    }
  };
  if (wallets.length === 0)
    return (
      <section className="sign-in-way">
        <h2>With a wallet</h2>
        <p className="muted">
          This browser has no Ethereum wallet. Install one (any that follows EIP-1193), then open this page again.
        </p>
      </section>
    );
  return (
    <section className="sign-in-way">
      <h2>With a wallet</h2>
      <SubstrateChoice chosen={substrate} onChoose={setSubstrate} />
      <Problem error={error} />
      {wallets.map((wallet) => (
        <Button key={wallet.id} kind="primary" disabled={!isReady} icon={Wallet} onPress={() => signIn(wallet)}>
          Sign in with {wallet.name}
        </Button>
      ))}
    </section>
  );
}

function useEthereumWallets(): readonly EthereumWallet[] {
  const [wallets, setWallets] = useState<readonly EthereumWallet[]>([]);
  useEffect(() => watchEthereumWallets(setWallets), []);
  return wallets;
}

interface SubstrateChoiceProps {
  readonly chosen: SubstrateAccount | string;
  readonly onChoose: (account: SubstrateAccount | string) => void;
}

function SubstrateChoice({ chosen, onChoose }: SubstrateChoiceProps) {
  const [accounts, setAccounts] = useState<readonly SubstrateAccount[]>([]);
  const [names] = useState(substrateWallets);
  if (names.length === 0)
    return (
      <TextField
        label="SS58 address"
        hint="The Substrate account that your files and folders belong to. A Substrate wallet fills this in."
        placeholder="5…"
        spellCheck={false}
        value={typeof chosen === 'string' ? chosen : chosen.address}
        onChange={(event) => onChoose(event.target.value.trim())}
      />
    );
  const load = async (name: string) => {
    const found = await substrateAccounts(name);
    setAccounts(found);
    if (found[0]) onChoose(found[0]);
  };
  if (accounts.length === 0)
    return (
      <>
        <p className="muted">First choose the Substrate account that your files and folders belong to.</p>
        {names.map((name) => (
          <Button key={name} onPress={() => load(name)}>
            Choose an account of {name}
          </Button>
        ))}
      </>
    );
  return (
    <SelectField
      label="Substrate account"
      options={accounts.map(({ address, name }) => [address, `${name} · ${address.slice(0, 6)}…${address.slice(-4)}`])}
      value={typeof chosen === 'string' ? chosen : chosen.address}
      onChange={({ target }) => onChoose(accounts.find(({ address }) => address === target.value) ?? '')}
    />
  );
}
