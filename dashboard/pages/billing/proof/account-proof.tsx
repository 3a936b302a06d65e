import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { Status } from '../../../components/badge';
import { Card } from '../../../components/card';
import { Time } from '../../../components/format';
import { Failure, Skeleton } from '../../../components/states';
import { Table, type Column } from '../../../components/tables/table';
import { proveAccount, type AccountProof } from './add-up';
import type { Total } from './totals';

const COLUMNS: readonly Column<Total>[] = [
  { id: 'figure', title: 'Figure', cell: ({ figure }) => figure },
  { id: 'stored', title: 'Stored', isAtEnd: true, cell: ({ stored }) => stored },
  { id: 'added', title: 'Added up', isAtEnd: true, cell: ({ added }) => added },
];

/** Adds up the entries of the user in the browser, beside the stored totals. */
export function AccountProofCard() {
  const client = useClient();
  const [proof, setProof] = useState<AccountProof>();
  const [error, setError] = useState<unknown>();
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    let isPresent = true;
    setError(undefined);
    void proveAccount(client).then(
      (made) => isPresent && setProof(made),
      (failure: unknown) => isPresent && setError(failure),
    );
    return () => void (isPresent = false);
  }, [client, attempts]);
  return (
    <Card title={proof ? <AccountStatus holds={proof.holds} /> : 'Your account'} isFlush>
      {error !== undefined && <Failure error={error} onRetry={() => setAttempts(attempts + 1)} />}
      {error === undefined && proof === undefined && <Skeleton />}
      {proof && (
        <>
          <Table
            label="Your account"
            columns={COLUMNS}
            rows={proof.totals}
            rowId={({ figure }) => figure}
            empty={null}
          />
          <div className="billing-pages">
            <p className="muted small">
              Of the balance, {proof.held} is reserved for what runs. Added up <Time at={proof.provedAt} />.
            </p>
          </div>
        </>
      )}
    </Card>
  );
}

function AccountStatus({ holds }: Pick<AccountProof, 'holds'>) {
  return (
    <Status tone={holds ? 'good' : 'bad'}>{holds ? 'Your account adds up' : 'Your account does not add up'}</Status>
  );
}
