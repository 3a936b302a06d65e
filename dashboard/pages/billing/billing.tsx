import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import { useBalance } from '../../app/balance';
import { Button } from '../../components/button';
import { Card, Figure } from '../../components/card';
import { TextField } from '../../components/fields';
import { Form } from '../../components/form';
import { Credits, Time } from '../../components/format';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { Statement } from './statement';

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
const BUY = graphql('mutation ($amount: Decimal!) { createCheckoutSession(amount: $amount) { checkoutUrl } }');
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
      <div className="columns">
        <BalanceCard />
        <BuyCard />
        <PlansCard />
      </div>
      <Statement />
    </Page>
  );
}

function BalanceCard() {
  const balance = useBalance();
  return (
    <Card title="Balance">
      <Figure label="Credits" note={balance && <Note held={balance.held} debt={balance.debt} />}>
        {balance ? <Credits amount={balance.balance} /> : '–'}
      </Figure>
    </Card>
  );
}

function Note({ held, debt }: { readonly held: string; readonly debt: string }) {
  if (Number(debt) > 0) return <>{debt} of debt is paid first by the next credits.</>;
  return <>{held} of them are reserved for what runs.</>;
}

function BuyCard() {
  const client = useClient();
  const [amount, setAmount] = useState('20');
  const buy = async () => {
    const { createCheckoutSession } = await done(client.mutation(BUY, { amount }));
    open(createCheckoutSession.checkoutUrl);
  };
  return (
    <Card title="Buy credits">
      <Form submit="Buy credits" label="Buy credits" onSubmit={buy}>
        <TextField
          label="US dollars"
          hint="20 to 10,000"
          type="number"
          min={20}
          max={10_000}
          step="0.01"
          required
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
        />
      </Form>
    </Card>
  );
}

/** Leaves for a hosted page. */
function open(url: string | null): void {
  if (url !== null) location.assign(url);
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
  const change = async () => open((await done(client.mutation(PORTAL, {}))).openCustomerPortal.portalUrl);
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
    open(createSubscription.checkoutUrl);
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
