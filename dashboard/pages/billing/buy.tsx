import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from 'urql';
import { Card } from '../../components/card';
import { SelectField, TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { done } from '../../graphql/done';
import { graphql } from '../../graphql/graphql';

const BUY = graphql(`
  mutation ($amount: Decimal!, $successUrl: String!, $cancelUrl: String!) {
    createCheckoutSession(amount: $amount, successUrl: $successUrl, cancelUrl: $cancelUrl) {
      checkoutUrl
    }
  }
`);
const DEPOSIT = graphql(`
  mutation ($amount: Decimal!, $currency: String!) {
    createTransaction(paymentType: "crypto", currency: $currency, amount: $amount) {
      id
    }
  }
`);

const WAYS = [
  ['USD', 'Card'],
  ['USDC', 'USDC'],
  ['USDT', 'USDT'],
  ['TAO', 'TAO'],
] as const;

/** Buys credits, by card on a hosted page or by a crypto deposit. */
export function BuyCard() {
  const client = useClient();
  const navigate = useNavigate();
  const [amount, setAmount] = useState('20');
  const [currency, setCurrency] = useState('USD');
  const isCard = currency === 'USD';
  const buy = async () => {
    if (isCard) {
      const { createCheckoutSession } = await done(client.mutation(BUY, { amount, ...returnUrls() }));
      return leaveFor(createCheckoutSession.checkoutUrl);
    }
    const { createTransaction } = await done(client.mutation(DEPOSIT, { amount, currency }));
    void navigate({ to: `/billing/payments/${createTransaction.id}` });
  };
  return (
    <Card title="Buy credits">
      <Form submit="Buy credits" label="Buy credits" onSubmit={buy}>
        <SelectField
          label="Pay with"
          value={currency}
          onChange={(event) => setCurrency(event.target.value)}
          options={WAYS}
        />
        <TextField
          label={isCard ? 'US dollars' : `Amount in ${currency}`}
          hint={isCard ? '20 to 10,000' : 'Worth at least 20 US dollars'}
          type="number"
          min={isCard ? 20 : 0}
          max={10_000}
          step={isCard ? '0.01' : 'any'}
          required
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
        />
      </Form>
    </Card>
  );
}

/** Leaves for a hosted page. */
export function leaveFor(url: string | null): void {
  if (url !== null) location.assign(url);
}

/** Hosted pages lead back to this origin: the cookie of the session belongs to it, and PUBLIC_URL may be another. */
export function billingUrl(): string {
  return `${location.origin}/billing`;
}

/** Where a checkout page leads. The payment processor puts the id of the page in. */
export function returnUrls(): { readonly successUrl: string; readonly cancelUrl: string } {
  return {
    successUrl: `${billingUrl()}?checkout=success&session={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${billingUrl()}?checkout=cancelled`,
  };
}
