import { useEffect } from 'react';
import { useQuery } from 'urql';
import { Badge } from '../../components/badge';
import { Card, DescriptionList } from '../../components/card';
import { CopyLine } from '../../components/forms/copy';
import { counted, Time } from '../../components/format';
import { useInterval } from '../../components/interval';
import { QrCode } from '../../components/qr-code';
import { QueryView } from '../../components/query-view';
import { graphql, type ResultOf } from '../../graphql/graphql';

const DEPOSIT = graphql(`
  query ($id: ID!) {
    deposit(transactionId: $id) {
      amount
      currency
      received
      credits
      status
      paymentAddress
      confirmationsNeeded
      quotedPriceUsd
      quotedUntil
      expiresAt
      payments {
        reference
        amount
        state
        confirmations
        credits
      }
    }
  }
`);

type Deposit = ResultOf<typeof DEPOSIT>['deposit'];

const RELOAD_MS = 4_000;

interface DepositCardProps {
  readonly id: string;
  /** A page that pays it with test money. */
  readonly payUrl: string | null;
  /** Called when its state has changed. */
  readonly onChange: () => void;
}

/** Where to pay a crypto deposit, and what has arrived, as blocks confirm it. */
export function DepositCard({ id, payUrl, onChange }: DepositCardProps) {
  const query = useQuery({ query: DEPOSIT, variables: { id }, requestPolicy: 'cache-and-network' });
  const [{ data }, reload] = query;
  const status = data?.deposit.status;
  useInterval(status !== 'completed', RELOAD_MS, () => reload({ requestPolicy: 'network-only' }));
  useEffect(() => {
    if (status !== undefined) onChange();
  }, [status]);
  return (
    <QueryView query={query}>
      {({ deposit }) => (
        <div className="columns">
          {deposit.status === 'pending' && <PayCard {...deposit} payUrl={payUrl} />}
          <Card title="What has arrived" isFlush>
            <Arrivals {...deposit} />
          </Card>
        </div>
      )}
    </QueryView>
  );
}

function PayCard({ payUrl, ...deposit }: Deposit & { readonly payUrl: string | null }) {
  const { paymentAddress, amount, currency, quotedPriceUsd, quotedUntil, expiresAt } = deposit;
  return (
    <Card title={`Send ${amount} ${currency}`}>
      <div className="stack">
        <div className="qr">
          <QrCode text={paymentAddress} label="The address as a QR code" />
        </div>
        <CopyLine text={paymentAddress} label="Copy the address" />
        <DescriptionList
          items={[
            ['Price', `${quotedPriceUsd} USD for 1 ${currency}`],
            ['Price holds until', <Time key="quoted" at={quotedUntil} />],
            ['Expires', <Time key="expires" at={expiresAt} />],
          ]}
        />
        {payUrl !== null && (
          <a className="button" href={payUrl}>
            Pay with test money
          </a>
        )}
      </div>
    </Card>
  );
}

function Arrivals({ payments, confirmationsNeeded, currency, received, credits }: Deposit) {
  if (payments.length === 0)
    return (
      <p className="muted arrivals" role="status">
        {waitingWords(confirmationsNeeded)}
      </p>
    );
  return (
    <>
      <ul className="lines" aria-live="polite">
        {payments.map((payment) => (
          <li key={payment.reference}>
            <div className="grow">
              <p className="row wrap">
                <strong className="number">
                  {payment.amount} {currency}
                </strong>
                <Badge tone={payment.state === 'credited' ? 'good' : 'info'}>{payment.state}</Badge>
              </p>
              {confirmationsNeeded > 0 && (
                <p className="muted small">
                  {Math.min(payment.confirmations, confirmationsNeeded)} of{' '}
                  {counted(confirmationsNeeded, 'confirmation')}
                </p>
              )}
              <code className="small break">{payment.reference}</code>
            </div>
          </li>
        ))}
      </ul>
      <p className="muted small arrivals">
        {received} {currency} received, {credits} credits
      </p>
    </>
  );
}

/** Without confirmations the chain is read up to its last final block. */
function waitingWords(confirmationsNeeded: number): string {
  if (confirmationsNeeded === 0)
    return 'Waiting for a payment. It is shown here and becomes credits as soon as its block is final.';
  const enough = counted(confirmationsNeeded, 'confirmation');
  return `Waiting for a payment. It is shown here with the first block that has it, and becomes credits after ${enough}.`;
}
