import { Link } from '@tanstack/react-router';
import { Wallet } from 'lucide-react';
import { useSubscription } from 'urql';
import { Credits } from '../components/format';
import { graphql } from '../graphql/graphql';

const BALANCE = graphql('subscription { creditBalanceChanged { balance debt held lastUpdated } }');

/** The balance is marked below it. */
const LOW_BALANCE_CREDITS = 5;

/** The credit balance, as it changes. */
export function useBalance() {
  const [{ data }] = useSubscription({ query: BALANCE });
  return data?.creditBalanceChanged;
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
