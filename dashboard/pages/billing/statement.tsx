import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { Badge } from '../../components/badge';
import { Button } from '../../components/button';
import { Card } from '../../components/card';
import { Time } from '../../components/format';
import { Empty, Problem, Skeleton } from '../../components/states';
import { Table, type Column } from '../../components/table';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';

const STATEMENT = graphql(`
  query ($after: String) {
    statement(first: 50, after: $after) {
      lines {
        cursor
        amount
        isDebt
        balance
        reason
        createdAt
      }
      next
    }
  }
`);

type Line = ResultOf<typeof STATEMENT>['statement']['lines'][number];

const COLUMNS: readonly Column<Line>[] = [
  { id: 'at', title: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'reason',
    title: 'What',
    cell: ({ reason, isDebt }) => (
      <span className="row">
        {reason} {isDebt && <Badge tone="warn">debt</Badge>}
      </span>
    ),
  },
  { id: 'amount', title: 'Credits', isAtEnd: true, cell: ({ amount }) => <span className="number">{amount}</span> },
  { id: 'balance', title: 'Balance', isAtEnd: true, cell: ({ balance }) => <span className="number">{balance}</span> },
];

/** Every movement of credits, newest first. */
export function Statement() {
  const { lines, error, more } = useStatement();
  return (
    <Card title="Statement" isFlush>
      {lines === undefined && error === undefined && <Skeleton />}
      <Problem error={error} />
      {lines && (
        <Table
          label="Statement"
          columns={COLUMNS}
          rows={lines}
          rowId={({ cursor }) => cursor}
          empty={<Empty title="Nothing has moved yet">Credits that you buy, get or spend are listed here.</Empty>}
        />
      )}
      {more && (
        <Button kind="quiet" onPress={more}>
          Older
        </Button>
      )}
    </Card>
  );
}

function useStatement() {
  const client = useClient();
  const [lines, setLines] = useState<readonly Line[]>();
  const [next, setNext] = useState<string | null>(null);
  const [error, setError] = useState<unknown>();
  const load = async (after: string | null) => {
    const { statement } = await done(client.query(STATEMENT, { after }, { requestPolicy: 'network-only' }));
    setLines((before = []) => (after === null ? statement.lines : [...before, ...statement.lines]));
    setNext(statement.next);
  };
  useEffect(() => void load(null).catch(setError), [client]);
  return { lines, error, more: next === null ? undefined : () => load(next) };
}
