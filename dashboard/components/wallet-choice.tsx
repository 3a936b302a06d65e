import { Wallet } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { Button } from './forms/button';
import { SelectField } from './forms/fields';
import { useInterval } from './interval';
import { Problem } from './forms/problem';
import {
  substrateAccounts,
  substrateWallets,
  watchEthereumWallets,
  type EthereumWallet,
  type SubstrateAccount,
  type WalletPair,
} from '../session/wallets';

/** Milliseconds between two searches for Substrate wallets, which send no event when they are ready. */
const POLL_INTERVAL_MS = 1_000;

interface WalletChoiceProps {
  /** Words before the name of an Ethereum wallet, such as `Sign in with`. */
  readonly action: string;
  readonly onChoose: (wallets: WalletPair) => Promise<void>;
}

/** Buttons to choose an Ethereum wallet and the account of a Substrate wallet that owns the files. */
export function WalletChoice({ action, onChoose }: WalletChoiceProps) {
  const wallets = useEthereumWallets();
  const [substrate, setSubstrate] = useState<SubstrateAccount>();
  const extensions = useSubstrateWallets(substrate === undefined);
  const [error, setError] = useState<unknown>();
  const choose = async (ethereum: EthereumWallet) => {
    if (!substrate) return;
    setError(undefined);
    try {
      await onChoose({ ethereum, substrate });
    } catch (failure) {
      setError(failure);
    }
  };
  const missing = [wallets.length === 0 && 'Ethereum', extensions.length === 0 && 'Substrate'].filter(Boolean);
  if (missing.length > 0) return <Install missing={missing.join(' and no ')} />;
  return (
    <>
      <SubstrateChoice names={extensions} chosen={substrate} onChoose={setSubstrate} />
      <Problem error={error} />
      {wallets.map((wallet) => (
        <Button key={wallet.id} kind="primary" disabled={!substrate} icon={Wallet} onPress={() => choose(wallet)}>
          {action} {wallet.name}
        </Button>
      ))}
    </>
  );
}

/** Says which wallet to install. There is no field for an address, because a typed address proves no owner. */
function Install({ missing }: { readonly missing: string }) {
  return (
    <p className="muted">
      This browser has no {missing} wallet. An Ethereum wallet signs you in, and your files and folders belong to an
      account of a Substrate wallet. Install an extension that is both, such as{' '}
      <a href="https://talisman.xyz">Talisman</a> or <a href="https://www.subwallet.app">SubWallet</a>, or{' '}
      <a href="https://polkadot.js.org/extension/">polkadot.js</a> beside any Ethereum wallet; then open this page
      again.
    </p>
  );
}

function useEthereumWallets(): readonly EthereumWallet[] {
  const [wallets, setWallets] = useState<readonly EthereumWallet[]>([]);
  useEffect(() => watchEthereumWallets(setWallets), []);
  return wallets;
}

/** The wallets found so far. Extensions put theirs into the page one after the other. */
function useSubstrateWallets(isSearching: boolean): readonly string[] {
  const [names, setNames] = useState(substrateWallets);
  const findWallets = useCallback(
    () => setNames((known) => (substrateWallets().length === known.length ? known : substrateWallets())),
    [],
  );
  useInterval(isSearching, POLL_INTERVAL_MS, findWallets);
  return names;
}

interface SubstrateChoiceProps {
  readonly names: readonly string[];
  readonly chosen: SubstrateAccount | undefined;
  readonly onChoose: (account: SubstrateAccount | undefined) => void;
}

function SubstrateChoice({ names, chosen, onChoose }: SubstrateChoiceProps) {
  const [accounts, setAccounts] = useState<readonly SubstrateAccount[]>([]);
  const load = async (name: string) => {
    const found = await substrateAccounts(name);
    if (found.length === 0) throw new Error(`${name} has no account; make one in it first.`);
    setAccounts(found);
    onChoose(found[0]);
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
  const chooseAgain = () => {
    setAccounts([]);
    onChoose(undefined);
  };
  return (
    <>
      <SelectField
        label="Substrate account"
        options={accounts.map(({ address, name }) => [
          address,
          `${name} · ${address.slice(0, 6)}…${address.slice(-4)}`,
        ])}
        value={chosen?.address}
        onChange={({ target }) => onChoose(accounts.find(({ address }) => address === target.value))}
      />
      <Button kind="quiet" size="small" onPress={chooseAgain}>
        Another wallet
      </Button>
    </>
  );
}
