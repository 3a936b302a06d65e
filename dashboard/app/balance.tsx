import { Link } from '@tanstack/react-router';
import { Wallet } from 'lucide-react';
import { createContext, useContext, type ReactNode } from 'react';
import { useSubscription } from 'urql';
import { Credits } from '../components/format';
import { graphql, type ResultOf } from '../graphql/graphql';

const BALANCE = graphql('subscription { creditBalanceChanged { balance debt held lastUpdated } }');

/** The balance is marked below it. */
const LOW_BALANCE_CREDITS = 5;

type Balance = ResultOf<typeof BALANCE>['creditBalanceChanged'];

const Context = createContext<Balance | undefined>(undefined);

/** Subscribes to the balance once for all pages: urql gives a second subscriber only the later events. */
export function BalanceProvider({ children }: { readonly children: ReactNode }) {
  const [{ data }] = useSubscription({ query: BALANCE });
  return <Context value={data?.creditBalanceChanged}>{children}</Context>;
}

/** The credit balance, as it changes; undefined until it is known. */
export function useBalance(): Balance | undefined {
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
