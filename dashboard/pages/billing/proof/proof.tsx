import { ShieldCheck } from 'lucide-react';
import { useQuery } from 'urql';
import { hasRole, useMe } from '../../../app/me';
import { Status } from '../../../components/badge';
import { Card, DescriptionList } from '../../../components/card';
import { Time } from '../../../components/format';
import { Page } from '../../../components/page';
import { QueryView } from '../../../components/query-view';
import { Empty } from '../../../components/states';
import { Table } from '../../../components/tables/table';
import { graphql, type ResultOf } from '../../../graphql/graphql';
import { AccountProofCard } from './account-proof';
import { ProveNowButton } from './prove-now';
import { ABOVE, BillingSections } from '../sections';
import '../billing.css';

const PROOF = graphql(`
  {
    ledgerProof {
      holds
      provedAt
      figures {
        users
        transfers
        entries
        sum
        balances
        debts
        held
        issued
        spent
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

type Proof = NonNullable<ResultOf<typeof PROOF>['ledgerProof']>;

/** The account of the user, added up now, and for administrators the last check of the whole ledger. */
export function ProofPage() {
  const isAdmin = hasRole(useMe(), 'ADMIN');
  const query = useQuery({ query: PROOF, requestPolicy: 'network-only', pause: !isAdmin });
  const reload = () => query[1]({ requestPolicy: 'network-only' });
  return (
    <Page
      title="Proof of the ledger"
      lead="Your entries are added up now and compared with the stored totals. The platform does so each night for all accounts."
      above={ABOVE}
      actions={isAdmin && <ProveNowButton onProved={reload} />}
    >
      <BillingSections />
      <AccountProofCard />
      {isAdmin && (
        <QueryView query={query}>
          {({ ledgerProof }) =>
            ledgerProof ? (
              <ProofView {...ledgerProof} />
            ) : (
              <Empty icon={ShieldCheck} title="Not proved yet">
                The ledger is proved each night, and when an administrator has it proved now.
              </Empty>
            )
          }
        </QueryView>
      )}
    </Page>
  );
}

function ProofView({ holds, provedAt, figures, differences }: Proof) {
  return (
    <>
      <Card title={<Status tone={holds ? 'good' : 'bad'}>{holds ? 'All sums agree' : 'Sums differ'}</Status>}>
        <DescriptionList
          items={[
            ['Proved', <Time key="at" at={provedAt} />],
            ['Users', figures.users.toLocaleString()],
            ['Transfers', figures.transfers],
            ['Entries', figures.entries],
            ['Sum of all entries', figures.sum],
            ['Balances', figures.balances],
            ['Debts', figures.debts],
            ['Reserved', figures.held],
            ['Issued', figures.issued],
            ['Spent', figures.spent],
          ]}
        />
      </Card>
      {differences.length > 0 && (
        <Card title="Differences" isFlush>
          <Table
            label="Differences"
            columns={[
              { id: 'of', title: 'Of', cell: ({ of }) => of },
              { id: 'figure', title: 'Figure', cell: ({ figure }) => figure },
              { id: 'kept', title: 'Stored', isAtEnd: true, cell: ({ kept }) => kept },
              { id: 'added', title: 'Added up', isAtEnd: true, cell: ({ added }) => added },
            ]}
            rows={differences}
            rowId={({ of, figure }) => `${of} ${figure}`}
            empty={null}
          />
        </Card>
      )}
    </>
  );
}
