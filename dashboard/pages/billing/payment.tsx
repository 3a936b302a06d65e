import { useParams } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { useMe } from '../../app/me';
import { Button } from '../../components/forms/button';
import { Card, DescriptionList } from '../../components/card';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { DepositCard } from './deposit';
import { difference, grantedCredits, money, PaymentStatus, paymentWords } from './payment-state';
import { ABOVE } from './sections';
import './billing.css';

const PAYMENT = graphql(`
  query ($id: String!) {
    arePaymentsSimulated
    transaction(id: $id) {
      id
      paymentType
      paymentUrl
      isSimulated
      amount
      currency
      received
      credits
      creditsGranted
      status
      createdAt
      completedAt
      charges(first: 20) {
        lines {
          cursor
          amount
          reason
          createdAt
        }
      }
    }
  }
`);

type Payment = ResultOf<typeof PAYMENT>['transaction'];

const WAY = [...ABOVE, { title: 'Payments', to: '/billing/payments' }];

/** One payment: how to pay it while it is open, and its receipt when it is paid. */
export function PaymentPage() {
  const { id = '' } = useParams({ strict: false });
  const query = useQuery({ query: PAYMENT, variables: { id }, requestPolicy: 'cache-and-network' });
  const [{ data }, reload] = query;
  return (
    <Page
      title="Payment"
      lead={data && <PaymentStatus state={data.transaction.status} />}
      above={WAY}
      actions={
        data &&
        data.transaction.completedAt !== null && (
          <Button icon={Printer} onPress={() => window.print()}>
            Print the receipt
          </Button>
        )
      }
    >
      <QueryView query={query} lines={6}>
        {({ transaction, arePaymentsSimulated }) => (
          <>
            {transaction.paymentType === 'crypto' && (
              <DepositCard
                id={transaction.id}
                payUrl={transaction.paymentUrl}
                onChange={() => reload({ requestPolicy: 'network-only' })}
              />
            )}
            <ReceiptCard payment={transaction} areCardsSimulated={arePaymentsSimulated} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

interface ReceiptProps {
  readonly payment: Payment;
  /** Whether card payments take test money now: for older payments, of which it is not known. */
  readonly areCardsSimulated: boolean;
}

function ReceiptCard({ payment, areCardsSimulated }: ReceiptProps) {
  const { username, email } = useMe();
  const { id, paymentType, createdAt, completedAt, charges } = payment;
  const granted = grantedCredits(payment);
  const isSimulated = payment.isSimulated ?? areCardsSimulated;
  return (
    <Card title={completedAt === null ? 'Payment' : 'Receipt'}>
      <DescriptionList
        items={[
          ['Number', <code key="id">{id}</code>],
          [
            'Account',
            <span key="who" className="break">
              {email === null ? username : `${email} (${username})`}
            </span>,
          ],
          ['Paid by', paymentWords(paymentType)],
          ...(isSimulated
            ? [['Simulated payments', 'This payment is made with test money: nothing is charged.'] as const]
            : []),
          ...amountLines(payment),
          ...(granted === undefined
            ? []
            : [['Credits', `${granted} ${granted === '1' ? 'credit' : 'credits'}`] as const]),
          ['Begun', new Date(createdAt).toLocaleString()],
          ...(completedAt === null ? [] : [['Completed', new Date(completedAt).toLocaleString()] as const]),
          ...charges.lines.map(({ cursor, amount: credits, reason, createdAt: at }) => {
            const words = `${credits} credits, ${reason}, ${new Date(at).toLocaleString()}`;
            return [`Line ${cursor} of the statement`, words] as const;
          }),
        ]}
      />
    </Card>
  );
}

/** The amount; of a payment that differs from the request, what was received and what was requested. */
function amountLines(payment: Payment): readonly (readonly [string, ReactNode])[] {
  const { amount, currency, received } = payment;
  const more = difference(payment);
  if (more === 0) return [['Amount', <strong key="amount">{money(amount, currency)}</strong>]];
  return [
    [
      'Amount received',
      <span key="received">
        <strong>{money(Number(received), currency)}</strong>, {money(Math.abs(more), currency)}{' '}
        {more < 0 ? 'less' : 'more'} than requested
      </span>,
    ],
    ['Amount requested', money(amount, currency)],
  ];
}
