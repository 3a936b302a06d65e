import { useEffect, type ReactNode } from 'react';
import { useClient, useQuery } from 'urql';
import { useBalance } from '../../app/balance';
import { Button } from '../../components/forms/button';
import { Card, Figure } from '../../components/card';
import { Credits, Time } from '../../components/format';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { AlertsCard } from './alerts';
import { billingUrl, BuyCard, leaveFor, returnUrls } from './buy';
import { ForecastCard } from './forecast';
import { BillingSections } from './sections';
import { Statement } from './statement';
import './billing.css';

const PLANS = graphql(`
  {
    subscriptionPlans {
      plans {
        name
        description
        priceId
        currency
        amount
        interval
        creditsPerBilling
      }
    }
    activeSubscription {
      subscription {
        planName
        status
        currentPeriodEnd
        cancelAtPeriodEnd
      }
    }
  }
`);
const SIMULATED = graphql('{ arePaymentsSimulated }');
const SUBSCRIBE = graphql(`
  mutation ($price: String!, $successUrl: String!, $cancelUrl: String!) {
    createSubscription(priceId: $price, successUrl: $successUrl, cancelUrl: $cancelUrl) {
      checkoutUrl
    }
  }
`);
const PORTAL = graphql('mutation ($url: String!) { openCustomerPortal(returnUrl: $url) { portalUrl } }');
const CHECKOUT = graphql('query ($id: String!) { checkoutSession(id: $id) { id transactionId } }');
const PAID = graphql('query ($id: String!) { transaction(id: $id) { id completedAt } }');

type Plan = ResultOf<typeof PLANS>['subscriptionPlans']['plans'][number];
type Subscription = NonNullable<ResultOf<typeof PLANS>['activeSubscription']['subscription']>;

/** Ways to buy credits, and every movement of them. */
export function BillingPage() {
  const outcome = useOutcome();
  return (
    <Page title="Billing" lead={outcome ?? 'Credits pay for machines and storage. One US dollar buys one credit.'}>
      <BillingSections />
      <TestMoneyNote />
      <div className="columns">
        <div className="stack loose">
          <BalanceCard />
          <AlertsCard />
        </div>
        <BuyCard />
        <PlansCard />
      </div>
      <ForecastCard />
      <Statement />
    </Page>
  );
}

/** What a hosted page that leads back here has done, in words; undefined if none does. */
function useOutcome(): string | undefined {
  const search = new URLSearchParams(location.search);
  const isGranted = useIsGranted(search.get('session') ?? '');
  const outcome = search.get('checkout');
  if (outcome === 'cancelled') return 'Nothing was paid.';
  if (outcome !== 'success') return undefined;
  return isGranted
    ? 'Thank you! The payment is confirmed, and its credits are in your balance.'
    : 'Thank you! The credits are there as soon as the payment is confirmed.';
}

/** Whether the payment on this checkout page has granted its credits; asked again when the balance changes. */
function useIsGranted(session: string): boolean {
  const balance = useBalance()?.balance;
  const [{ data: page }] = useQuery({ query: CHECKOUT, variables: { id: session }, pause: session === '' });
  const id = page?.checkoutSession.transactionId ?? '';
  const [{ data: paid }, reload] = useQuery({ query: PAID, variables: { id }, pause: id === '' });
  useEffect(() => {
    if (id !== '') reload({ requestPolicy: 'network-only' });
  }, [id, balance]);
  return paid !== undefined && paid.transaction.completedAt !== null;
}

function TestMoneyNote() {
  const [{ data }] = useQuery({ query: SIMULATED });
  if (data?.arePaymentsSimulated !== true) return null;
  return <p>Payments are simulated: this platform takes test money, and nothing is charged to you.</p>;
}

function BalanceCard() {
  const balance = useBalance();
  return (
    <Card title="Balance">
      <Figure label="Credits" note={balance && noteOf(balance)}>
        {balance ? <Credits amount={balance.balance} /> : '–'}
      </Figure>
    </Card>
  );
}

function noteOf({ held, debt }: { readonly held: string; readonly debt: string }): ReactNode {
  if (Number(debt) > 0) return `${debt} of debt is paid first by the next credits.`;
  if (Number(held) === 0) return undefined;
  return (
    <>
      <Credits amount={held} /> of them are reserved for what runs.
    </>
  );
}

function PlansCard() {
  const query = useQuery({ query: PLANS, requestPolicy: 'cache-and-network' });
  return (
    <Card title="Subscription" isFlush>
      <QueryView query={query}>
        {({ subscriptionPlans: { plans }, activeSubscription: { subscription } }) => (
          <ul className="lines">
            {subscription ? (
              <SubscribedLine {...subscription} />
            ) : (
              plans.map((plan) => <PlanLine key={plan.priceId} {...plan} />)
            )}
            {!subscription && plans.length === 0 && <li className="muted">No plans are available.</li>}
          </ul>
        )}
      </QueryView>
    </Card>
  );
}

function SubscribedLine({ planName, status, currentPeriodEnd, cancelAtPeriodEnd }: Subscription) {
  const client = useClient();
  const change = async () => {
    const { openCustomerPortal } = await done(client.mutation(PORTAL, { url: billingUrl() }));
    leaveFor(openCustomerPortal.portalUrl);
  };
  return (
    <li>
      <div className="grow">
        <strong>{planName || 'Your plan'}</strong>
        <p className="muted small">
          {status}
          {currentPeriodEnd !== null && (
            <>
              {' · '}
              {cancelAtPeriodEnd ? 'ends' : 'renews'} <Time at={currentPeriodEnd} />
            </>
          )}
        </p>
      </div>
      <Button onPress={change}>Change</Button>
    </li>
  );
}

function PlanLine({ name, priceId, currency, amount, interval, creditsPerBilling }: Plan) {
  const client = useClient();
  const subscribe = async () => {
    const { createSubscription } = await done(client.mutation(SUBSCRIBE, { price: priceId, ...returnUrls() }));
    leaveFor(createSubscription.checkoutUrl);
  };
  return (
    <li>
      <div className="grow">
        <strong>{name}</strong>
        <p className="muted small">
          {creditsPerBilling} credits for {amount} {currency.toUpperCase()} every {interval}
        </p>
      </div>
      <Button onPress={subscribe}>Subscribe</Button>
    </li>
  );
}
