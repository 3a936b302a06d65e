import type { ReactNode } from 'react';
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
import { BuyCard, leaveFor } from './buy';
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
const SUBSCRIBE = graphql('mutation ($price: String!) { createSubscription(priceId: $price) { checkoutUrl } }');
const PORTAL = graphql('mutation { openCustomerPortal { portalUrl } }');

type Plan = ResultOf<typeof PLANS>['subscriptionPlans']['plans'][number];
type Subscription = NonNullable<ResultOf<typeof PLANS>['activeSubscription']['subscription']>;

/** What hosted pages say when they lead back here. */
const OUTCOMES: Readonly<Record<string, string>> = {
  success: 'Thank you! The credits are there as soon as the payment is confirmed.',
  cancelled: 'Nothing was paid.',
};

/** Ways to buy credits, and every movement of them. */
export function BillingPage() {
  const outcome = OUTCOMES[new URLSearchParams(location.search).get('checkout') ?? ''];
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
  const query = useQuery({ query: PLANS });
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
            {!subscription && plans.length === 0 && <li className="muted">No plan is on offer.</li>}
          </ul>
        )}
      </QueryView>
    </Card>
  );
}

function SubscribedLine({ planName, status, currentPeriodEnd, cancelAtPeriodEnd }: Subscription) {
  const client = useClient();
  const change = async () => leaveFor((await done(client.mutation(PORTAL, {}))).openCustomerPortal.portalUrl);
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
    const { createSubscription } = await done(client.mutation(SUBSCRIBE, { price: priceId }));
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
