import { Activity } from 'lucide-react';
import { useStore } from '../../runtime/store';
import { Status } from '../../components/badge';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { sentRequests, type SentRequest } from '../../graphql/requests';

/** The last requests of this tab. */
export function RequestLog() {
  const requests = useStore(sentRequests);
  return (
    <Card
      title="Requests of this tab"
      isFlush
      actions={
        <Button size="small" onPress={() => sentRequests.set([])}>
          Clear
        </Button>
      }
    >
      <Table
        label="Requests of this tab"
        columns={COLUMNS}
        rows={requests}
        rowId={({ id }) => String(id)}
        empty={
          <Empty icon={Activity} title="No requests yet">
            What this dashboard asks the API is listed here, at most 200 requests, until you reload the page.
          </Empty>
        }
      />
    </Card>
  );
}

const COLUMNS: readonly Column<SentRequest>[] = [
  {
    id: 'operation',
    title: 'Operation',
    value: ({ operation }) => operation,
    cell: (row) => <code>{row.operation}</code>,
  },
  { id: 'at', title: 'Sent', value: ({ id }) => id, cell: ({ sentAt }) => sentAt.toLocaleTimeString() },
  { id: 'took', title: 'Took', value: ({ tookMs }) => tookMs, cell: ({ tookMs }) => `${Math.round(tookMs)}\u00a0ms` },
  {
    id: 'status',
    title: 'Status',
    value: ({ status }) => status,
    cell: ({ status, errors }) => (
      <Status tone={errors.length > 0 || status !== 200 ? 'bad' : 'good'}>
        {status === 0 ? 'no answer' : [status, ...errors].join(' · ')}
      </Status>
    ),
  },
];
