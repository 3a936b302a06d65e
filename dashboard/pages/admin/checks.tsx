import { Link } from '@tanstack/react-router';
import { GitCompare, ReceiptText, RotateCcw, Scale } from 'lucide-react';
import { useClient, useQuery } from 'urql';
import { Badge, Status } from '../../components/badge';
import { Button } from '../../components/forms/button';
import { Card, DescriptionList } from '../../components/card';
import { counted, Time } from '../../components/format';
import { showToast } from '../../components/overlays/toasts';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { ProveNowButton } from '../billing/prove-now';

const FLAGGED = graphql(
  '{ flaggedPayments { transactionId userId substrateAddress reason invoiceId paymentIntentId } }',
);
const REPLAY = graphql('mutation { adminReplayEvents { replayed remaining } }');
const PROOF = graphql(`
  {
    ledgerProof {
      holds
      provedAt
      figures {
        users
        entries
        transfers
        issued
        spent
        balances
        held
        debts
        sum
      }
      differences {
        of
        figure
        kept
        added
      }
    }
  }
`);
const DRIFT = graphql('{ networkDrift { id tenant kind externalId what foundAt repairedAt } }');

type Flagged = ResultOf<typeof FLAGGED>['flaggedPayments'][number];
type Proof = NonNullable<ResultOf<typeof PROOF>['ledgerProof']>;
type DriftRow = ResultOf<typeof DRIFT>['networkDrift'][number];

/** Payments that need a decision. */
export function FlaggedPayments() {
  const query = useQuery({ query: FLAGGED, requestPolicy: 'cache-and-network' });
  const client = useClient();
  const replay = async () => {
    const { adminReplayEvents } = await done(client.mutation(REPLAY, {}));
    const { replayed, remaining } = adminReplayEvents;
    showToast(`${counted(replayed, 'event')} processed again; ${remaining.toLocaleString()} still cannot be.`);
    query[1]({ requestPolicy: 'network-only' });
  };
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
            columns={FLAGGED_COLUMNS}
            rows={flaggedPayments}
            rowId={({ transactionId, reason }) => `${transactionId} ${reason}`}
            empty={
              <Empty icon={ReceiptText} title="No payment is flagged">
                A payment that differs from its transaction is listed here. When the payment processor or a setting is
                put right, process the waiting events again.
              </Empty>
            }
          />
        )}
      </QueryView>
    </Card>
  );
}

const FLAGGED_COLUMNS: readonly Column<Flagged>[] = [
  { id: 'transaction', title: 'Transaction', cell: ({ transactionId }) => <code>{transactionId}</code> },
  { id: 'user', title: 'User', value: ({ userId }) => userId, cell: (payment) => <UserLink {...payment} /> },
  { id: 'reason', title: 'Reason', value: ({ reason }) => reason, cell: ({ reason }) => reason },
  { id: 'invoice', title: 'Invoice', cell: ({ invoiceId }) => <code>{invoiceId ?? '–'}</code> },
];

function UserLink({ userId, substrateAddress }: Flagged) {
  if (substrateAddress === null) return userId;
  return <Link to={`/admin/users/${substrateAddress}`}>User {userId}</Link>;
}

/** The result of the last check of the ledger. */
export function LedgerProofCard() {
  const query = useQuery({ query: PROOF, requestPolicy: 'cache-and-network' });
  const reload = () => query[1]({ requestPolicy: 'network-only' });
  return (
    <Card title="Proof of the ledger" actions={<ProveNowButton onProved={reload} />}>
      <QueryView query={query}>
        {({ ledgerProof }) =>
          ledgerProof ? (
            <ProofDetails {...ledgerProof} />
          ) : (
            <Empty icon={Scale} title="Not proved yet">
              Each night every balance is added up from its entries. Prove it now for the first result.
            </Empty>
          )
        }
      </QueryView>
    </Card>
  );
}

function ProofDetails({ holds, provedAt, figures, differences }: Proof) {
  return (
    <>
      <p className="row wrap">
        <Badge tone={holds ? 'good' : 'bad'}>{holds ? 'holds' : 'does not hold'}</Badge>
        Checked <Time at={provedAt} />
      </p>
      <DescriptionList
        items={[
          ['Users', figures.users.toLocaleString()],
          ['Entries', figures.entries],
          ['Transfers', figures.transfers],
          ['Issued', figures.issued],
          ['Spent', figures.spent],
          ['Balances', figures.balances],
          ['Reserved', figures.held],
          ['Debts', figures.debts],
          ['Sum', figures.sum],
        ]}
      />
      <ul className="lines" aria-label="Differences">
        {differences.map((difference) => (
          <li key={`${difference.of} ${difference.figure}`}>
            {difference.of}: {difference.figure} is stored as {difference.kept}, but its entries add up to{' '}
            {difference.added}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Changes that others made to private networks on the server that carries them. */
export function Drift() {
  const query = useQuery({ query: DRIFT, requestPolicy: 'cache-and-network' });
  return (
    <Card title="Network drift" isFlush>
      <QueryView query={query}>
        {({ networkDrift }) => (
          <Table
            label="Network drift"
            columns={DRIFT_COLUMNS}
            rows={networkDrift}
            rowId={({ id }) => String(id)}
            empty={
              <Empty icon={GitCompare} title="No drift">
                Changes that others made on the NetBird server are listed here, and repaired.
              </Empty>
            }
          />
        )}
      </QueryView>
    </Card>
  );
}

const DRIFT_COLUMNS: readonly Column<DriftRow>[] = [
  { id: 'tenant', title: 'Network', value: ({ tenant }) => tenant, cell: ({ tenant }) => tenant },
  { id: 'what', title: 'Change', value: ({ what }) => what, cell: ({ what, kind }) => `${kind} ${what}` },
  { id: 'id', title: 'Id at the server', cell: ({ externalId }) => <code>{externalId}</code> },
  { id: 'found', title: 'Found', value: ({ foundAt }) => foundAt, cell: ({ foundAt }) => <Time at={foundAt} /> },
  {
    id: 'repaired',
    title: 'Repaired',
    cell: ({ repairedAt }) => (repairedAt === null ? <Status tone="warn">not yet</Status> : <Time at={repairedAt} />),
  },
];
