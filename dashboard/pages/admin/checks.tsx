import { GitCompare, Scale } from 'lucide-react';
import { useQuery } from 'urql';
import { Badge, Status } from '../../components/badge';
import { Card, DescriptionList } from '../../components/card';
import { Time } from '../../components/format';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { ProveNowButton } from '../billing/proof/prove-now';

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

type Proof = NonNullable<ResultOf<typeof PROOF>['ledgerProof']>;
type DriftRow = ResultOf<typeof DRIFT>['networkDrift'][number];

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
