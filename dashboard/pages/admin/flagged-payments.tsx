import { Link } from '@tanstack/react-router';
import { ReceiptText, RotateCcw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { Button } from '../../components/forms/button';
import { TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { Card } from '../../components/card';
import { counted } from '../../components/format';
import { Dialog } from '../../components/overlays/dialog';
import { showToast } from '../../components/toasts';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';

const FLAGGED = graphql(
  '{ flaggedPayments { transactionId userId substrateAddress reason invoiceId paymentIntentId } }',
);
const REPLAY = graphql('mutation { adminReplayEvents { replayed remaining } }');
const GRANT = graphql(`
  mutation ($id: String!, $credits: Decimal) {
    adminGrantFlaggedPayment(transactionId: $id, credits: $credits) {
      userId
      credits
      hasChanged
    }
  }
`);

type Flagged = ResultOf<typeof FLAGGED>['flaggedPayments'][number];

/** Payments that need a decision. */
export function FlaggedPayments() {
  const query = useQuery({ query: FLAGGED, requestPolicy: 'cache-and-network' });
  const reload = () => query[1]({ requestPolicy: 'network-only' });
  const client = useClient();
  const [granted, setGranted] = useState<Flagged>();
  const replay = async () => {
    const { adminReplayEvents } = await done(client.mutation(REPLAY, {}));
    const { replayed, remaining } = adminReplayEvents;
    showToast(`${counted(replayed, 'event')} processed again; ${remaining.toLocaleString()} still cannot be.`);
    reload();
  };
  const columns = useMemo(() => columnsOf(setGranted), []);
  return (
    <Card
      title="Flagged payments"
      isFlush
      actions={
        <Button size="small" icon={RotateCcw} onPress={replay}>
          Process the events again
        </Button>
      }
    >
      <QueryView query={query}>
        {({ flaggedPayments }) => (
          <Table
            label="Flagged payments"
            columns={columns}
            rows={flaggedPayments}
            rowId={({ transactionId, reason }) => `${transactionId} ${reason}`}
            empty={
              <Empty icon={ReceiptText} title="No flagged payments">
                A payment that differs from its transaction is listed here, to be granted or refunded. After you correct
                a setting or the payment processor, process the waiting events again.
              </Empty>
            }
          />
        )}
      </QueryView>
      {granted && <GrantDialog payment={granted} onDone={reload} onClose={() => setGranted(undefined)} />}
    </Card>
  );
}

interface GrantDialogProps {
  readonly payment: Flagged;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function GrantDialog({ payment: { transactionId, reason }, onDone, onClose }: GrantDialogProps) {
  const client = useClient();
  const [text, setText] = useState('');
  const submit = async () => {
    const answer = await done(client.mutation(GRANT, { id: transactionId, credits: text.trim() || null }));
    const { userId, credits, hasChanged } = answer.adminGrantFlaggedPayment;
    showToast(
      hasChanged
        ? `User ${userId} got ${credits} credits.`
        : `User ${userId} already got ${credits} credits for this payment.`,
    );
    onClose();
    onDone();
  };
  return (
    <Dialog title="Grant this payment?" lead={reason} isOpen onClose={onClose}>
      <Form submit="Grant it" onSubmit={submit} onCancel={onClose}>
        <TextField
          label="Credits"
          inputMode="decimal"
          hint="Empty: those of the transaction or its plan. They are granted once; refunds take back their part."
          autoFocus
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Form>
    </Dialog>
  );
}

function columnsOf(grant: (payment: Flagged) => void): readonly Column<Flagged>[] {
  return [
    { id: 'transaction', title: 'Transaction', cell: ({ transactionId }) => <code>{transactionId}</code> },
    { id: 'user', title: 'User', value: ({ userId }) => userId, cell: (payment) => <UserLink {...payment} /> },
    { id: 'reason', title: 'Reason', value: ({ reason }) => reason, cell: ({ reason }) => reason },
    { id: 'invoice', title: 'Invoice', cell: ({ invoiceId }) => <code>{invoiceId ?? '–'}</code> },
    {
      id: 'grant',
      title: 'Actions',
      hidesTitle: true,
      isAtEnd: true,
      cell: (payment) => (
        <Button size="small" onPress={() => grant(payment)}>
          Grant
        </Button>
      ),
    },
  ];
}

function UserLink({ userId, substrateAddress }: Flagged) {
  return <Link to={`/admin/users/${substrateAddress ?? userId}`}>User {userId}</Link>;
}
