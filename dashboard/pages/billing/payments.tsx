import { Link } from '@tanstack/react-router';
import { Receipt } from 'lucide-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { Time } from '../../components/format';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { grantedCredits, paidWords, PaymentStatus, paymentWords } from './payment-state';
import { ABOVE, BillingSections } from './sections';

const PAYMENTS = graphql(`
  query ($page: Int!) {
    transactionPage(page: $page, pageSize: 50, ordering: "-created_at") {
      count
      results {
        id
        paymentType
        amount
        currency
        received
        credits
        creditsGranted
        status
        createdAt
        completedAt
      }
    }
  }
`);

type Payment = ResultOf<typeof PAYMENTS>['transactionPage']['results'][number];

const COLUMNS: readonly Column<Payment>[] = [
  {
    id: 'at',
    title: 'When',
    value: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    id: 'type',
    title: 'Paid by',
    value: ({ paymentType }) => paymentType,
    cell: ({ paymentType }) => paymentWords(paymentType),
  },
  {
    id: 'state',
    title: 'State',
    value: ({ status }) => status,
    cell: ({ status }) => <PaymentStatus state={status} />,
  },
  {
    id: 'amount',
    title: 'Amount',
    isAtEnd: true,
    cell: (payment) => <span className="number">{paidWords(payment)}</span>,
  },
  {
    id: 'credits',
    title: 'Credits',
    isAtEnd: true,
    cell: (payment) => <span className="number">{grantedCredits(payment) ?? '–'}</span>,
  },
  {
    id: 'receipt',
    title: 'Receipt',
    hidesTitle: true,
    isAtEnd: true,
    cell: ({ id, createdAt }) => (
      <Link to={`/billing/payments/${id}`}>
        Open<span className="unseen"> the payment of {new Date(createdAt).toLocaleString()}</span>
      </Link>
    ),
  },
];

/** Every payment of the user. */
export function PaymentsPage() {
  const [page, setPage] = useState(1);
  const query = useQuery({ query: PAYMENTS, variables: { page }, requestPolicy: 'cache-and-network' });
  return (
    <Page
      title="Payments"
      lead="What you paid and the credits it bought. Open a payment for its receipt."
      above={ABOVE}
    >
      <BillingSections />
      <Card isFlush>
        <QueryView query={query}>
          {({ transactionPage: { results, count } }) => (
            <>
              <Table
                label="Payments"
                columns={COLUMNS}
                rows={results}
                rowId={({ id }) => id}
                empty={
                  <Empty icon={Receipt} title="No payments yet" action={<Link to="/billing">Buy credits</Link>}>
                    Pay by card or with USDC, USDT or TAO. Payments and their receipts are listed here.
                  </Empty>
                }
              />
              <Pages page={page} last={Math.ceil(count / 50)} onPage={setPage} />
            </>
          )}
        </QueryView>
      </Card>
    </Page>
  );
}

function Pages({ page, last, onPage }: { page: number; last: number; onPage: (page: number) => void }) {
  if (last <= 1) return null;
  return (
    <div className="billing-pages">
      <Button size="small" disabled={page === 1} onPress={() => onPage(page - 1)}>
        Newer
      </Button>
      <span className="muted small">
        Page {page} of {last}
      </span>
      <Button size="small" disabled={page >= last} onPress={() => onPage(page + 1)}>
        Older
      </Button>
    </div>
  );
}
