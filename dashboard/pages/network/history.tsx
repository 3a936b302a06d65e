import { History as HistoryIcon } from 'lucide-react';
import { useEffect } from 'react';
import { useClient, useQuery } from 'urql';
import { Badge } from '../../components/badge';
import { Button } from '../../components/button';
import { Card } from '../../components/card';
import { confirm } from '../../components/confirm';
import { Time } from '../../components/format';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { tell } from '../../components/toasts';
import { done } from '../../graphql/done';
import type { ResultOf } from '../../graphql/graphql';
import { differenceOf, titleOf } from './difference';
import { HISTORY, UNDO } from './operations';

type Change = ResultOf<typeof HISTORY>['networkChanges'][number];

/** Every change of the network, with its difference; it can be restored as it was before any of them. */
export function History({ revision }: { readonly revision: number }) {
  const query = useQuery({ query: HISTORY, requestPolicy: 'cache-and-network' });
  const [, reload] = query;
  useEffect(() => reload({ requestPolicy: 'network-only' }), [revision, reload]);
  return (
    <Card title="History" isFlush>
      <QueryView query={query}>
        {({ networkChanges }) =>
          networkChanges.length === 0 ? (
            <Empty icon={HistoryIcon} title="Nothing has changed yet" />
          ) : (
            <ul className="lines history">
              {networkChanges.map((change) => (
                <ChangeLine key={change.id} change={change} changes={networkChanges} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Card>
  );
}

function ChangeLine({ change, changes }: { readonly change: Change; readonly changes: readonly Change[] }) {
  const client = useClient();
  const { revision, at, items, undoes, undoneBy } = change;
  const open = (one: Change) => one.undoes === null && one.undoneBy === null;
  const newer = changes.filter((one) => open(one) && one.revision >= revision);
  const restore = async () => {
    const text = `It reverts ${newer.length === 1 ? 'this change' : `the last ${newer.length} changes`}. The history keeps them.`;
    const isSure = await confirm({
      title: `Restore the network as before revision ${revision}?`,
      text,
      action: 'Restore',
    });
    if (!isSure) return;
    for (const { id } of newer) await done(client.mutation(UNDO, { id }));
    tell(`The network is as it was before revision ${revision}.`);
  };
  return (
    <li>
      <details className="grow">
        <summary>
          <span className="number muted">{revision}</span> {items.map(titleOf).join(', ')}{' '}
          {undoes !== null && <Badge tone="info">undo</Badge>} {undoneBy !== null && <Badge>undone</Badge>}
        </summary>
        <ul className="difference">
          {items.flatMap(differenceOf).map(({ field, before, after }) => (
            <li key={field}>
              <span className="muted">{field}</span> {before !== undefined && <del>{before}</del>}{' '}
              {after !== undefined && <ins>{after}</ins>}
            </li>
          ))}
        </ul>
      </details>
      <span className="muted small">
        <Time at={at} />
      </span>
      {open(change) && (
        <Button size="small" onPress={restore}>
          Restore before
        </Button>
      )}
    </li>
  );
}
