import { Link } from '@tanstack/react-router';
import { Wallet } from 'lucide-react';
import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { useSubscription } from 'urql';
import { Credits } from '../components/format';
import { graphql, type ResultOf } from '../graphql/graphql';

const BALANCE = graphql('subscription { creditBalanceChanged { balance debt held lastUpdated } }');

/** The balance is marked below it. */
const LOW_BALANCE_CREDITS = 5;

type Balance = ResultOf<typeof BALANCE>['creditBalanceChanged'];

interface BalanceState {
  readonly balance: Balance | undefined;
  /** Why it is not known or out of date. */
  readonly error: unknown;
  readonly reload: () => void;
}

const Context = createContext<BalanceState>({ balance: undefined, error: undefined, reload: () => undefined });

/** Subscribes to the balance once for all pages: urql gives a second subscriber only the later events. */
export function BalanceProvider({ children }: { readonly children: ReactNode }) {
  const [{ data, error }, reload] = useSubscription({ query: BALANCE });
  const balance = data?.creditBalanceChanged;
  const state = useMemo(() => ({ balance, error, reload }), [balance, error, reload]);
  return <Context value={state}>{children}</Context>;
}

/** The credit balance, as it changes; undefined until it is known. */
export function useBalance(): Balance | undefined {
  return useBalanceState().balance;
}

/** The balance, or why it is not known. */
export function useBalanceState(): BalanceState {
  return useContext(Context);
}

/** The balance in the top bar. */
export function BalanceLink() {
  const balance = useBalance();
  const isLow = balance !== undefined && Number(balance.balance) < LOW_BALANCE_CREDITS;
  return (
    <Link to="/billing" className={isLow ? 'balance low' : 'balance'}>
      <Wallet className="icon" aria-hidden />
      <span className="unseen">Credit balance</span>
      {balance ? <Credits amount={balance.balance} /> : '–'}
    </Link>
  );
}
