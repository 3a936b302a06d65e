import { Share2 } from 'lucide-react';
import { useMemo } from 'react';
import { Badge } from '../../../components/badge';
import { Button } from '../../../components/forms/button';
import { Card } from '../../../components/card';
import { Empty } from '../../../components/states';
import { Table, type Column } from '../../../components/tables/table';
import type { Model, PolicyModel } from '../../../topology/model';
import type { Acts } from '../acts';
import { PolicyState } from '../details';
import { draftOf, type Draft } from '../draft';

interface PoliciesTableProps {
  readonly model: Model;
  readonly acts: Acts;
  readonly onDraft: (draft: Draft) => void;
}

/** Every policy of the network. */
export function PoliciesTable({ model, acts, onDraft }: PoliciesTableProps) {
  const columns = useMemo(() => columnsOf(model, acts, onDraft), [model, acts, onDraft]);
  return (
    <Card title="Policies" isFlush>
      <Table
        label="Policies"
        columns={columns}
        rows={model.policies}
        rowId={({ edge }) => edge.id}
        empty={
          <Empty icon={Share2} title="No policies yet">
            Without one, no group reaches another.
          </Empty>
        }
      />
    </Card>
  );
}

function columnsOf({ groupOf }: Model, acts: Acts, edit: (draft: Draft) => void): readonly Column<PolicyModel>[] {
  const name = (id: string) => groupOf.get(id)?.node.label ?? id;
  const idOf = (id: string) => groupOf.get(id)?.groupId ?? 0;
  return [
    { id: 'from', title: 'From', value: ({ source }) => name(source), cell: ({ source }) => name(source) },
    { id: 'to', title: 'To', value: ({ target }) => name(target), cell: ({ target }) => name(target) },
    {
      id: 'action',
      title: 'Action',
      value: ({ edge }) => edge.meta.action ?? '',
      cell: ({ edge }) =>
        edge.meta.action === 'drop' ? <Badge tone="bad">block</Badge> : <Badge tone="good">allow</Badge>,
    },
    { id: 'traffic', title: 'Traffic', value: ({ traffic }) => traffic, cell: ({ traffic }) => traffic },
    { id: 'way', title: 'Direction', cell: ({ edge }) => (edge.meta.bidirectional === true ? 'both ways' : 'one way') },
    { id: 'state', title: 'State', cell: (policy) => <PolicyState policy={policy} /> },
    {
      id: 'actions',
      title: 'Actions',
      hidesTitle: true,
      isAtEnd: true,
      cell: (policy) =>
        policy.edge.meta.isManaged ? (
          <span className="muted">kept by the platform</span>
        ) : (
          <span className="row end">
            <Button size="small" onPress={() => edit(draftOf(policy, idOf(policy.source), idOf(policy.target)))}>
              Change
            </Button>
            <Button size="small" onPress={() => acts.setEnabled(policy)}>
              {policy.edge.meta.enabled === true ? 'Disable' : 'Enable'}
            </Button>
            <Button size="small" onPress={() => acts.deletePolicy(policy)}>
              Delete
            </Button>
          </span>
        ),
    },
  ];
}
