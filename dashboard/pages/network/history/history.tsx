import { History as HistoryIcon } from 'lucide-react';
import { useClient } from 'urql';
import { Badge } from '../../../components/badge';
import { Button } from '../../../components/forms/button';
import { Card } from '../../../components/card';
import { counted, Time } from '../../../components/format';
import { Empty, ListProblem, Skeleton } from '../../../components/states';
import { showToast } from '../../../components/toasts';
import { done } from '../../../graphql/done';
import { messageOf } from '../../../graphql/refusal';
import type { Model } from '../../../topology/model';
import { confirmRestore } from '../dialogs/confirm-plan';
import { changeTitle, isOpen, whyIrreversible } from './difference';
import { differenceOf } from './fields';
import { UNDO } from '../operations';
import { useHistory, type Change } from './use-history';

/** The changes of the network with their differences. It can be restored to before a change unless this or a newer one is irreversible. */
export function History({ model, revision }: { readonly model: Model; readonly revision: number }) {
  const { changes, error, more, reload } = useHistory(revision);
  const irreversible = changes?.find((change) => isOpen(change) && whyIrreversible(change.items) !== undefined);
  return (
    <Card title="History" isFlush>
      <ListProblem error={error} hasRows={changes !== undefined} onRetry={reload} />
      {changes === undefined && error === undefined && <Skeleton lines={6} />}
      {changes?.length === 0 && <Empty icon={HistoryIcon} title="Nothing has changed yet" />}
      <ul className="lines history">
        {changes?.map((change) => (
          <ChangeLine key={change.id} model={model} change={change} changes={changes} irreversible={irreversible} />
        ))}
      </ul>
      {more && (
        <div className="history-more">
          <Button onPress={more}>Older</Button>
        </div>
      )}
    </Card>
  );
}

interface ChangeLineProps {
  readonly model: Model;
  readonly change: Change;
  readonly changes: readonly Change[];
  /** The newest change that cannot be undone: the network cannot be restored to one before it. */
  readonly irreversible: Change | undefined;
}

function ChangeLine({ model, change, changes, irreversible }: ChangeLineProps) {
  const client = useClient();
  const { revision, at, items, undoes, undoneBy } = change;
  const newer = changes.filter((one) => isOpen(one) && one.revision >= revision);
  const restore = async () => {
    const lead = `It reverts ${newer.length === 1 ? 'this change' : `the last ${newer.length} changes`}. The history keeps them.`;
    const title = `Restore the network as it was before revision ${revision}?`;
    if (!(await confirmRestore({ title, lead }, { undoes: change.id }))) return;
    for (const [index, { id }] of newer.entries())
      await done(client.mutation(UNDO, { id })).catch((error: unknown) => {
        if (index === 0) throw error;
        const text = `Undone: ${index} of ${counted(newer.length, 'change')}. Then: ${messageOf(error)}`;
        throw new Error(text, { cause: error });
      });
    showToast(`The network is as it was before revision ${revision}.`);
  };
  return (
    <li>
      <details className="grow">
        <summary>
          <span className="number muted">{revision}</span> {changeTitle(items, model)}{' '}
          {undoes !== null && <Badge tone="info">undo</Badge>} {undoneBy !== null && <Badge>undone</Badge>}
        </summary>
        <Differences items={items} model={model} />
      </details>
      <span className="muted small">
        <Time at={at} />
      </span>
      {isOpen(change) && (irreversible === undefined || irreversible.revision < revision) && (
        <Button size="small" onPress={restore}>
          Undo this and newer
        </Button>
      )}
      {irreversible === change && (
        <p className="muted small">Cannot be undone: it {whyIrreversible(items)}. Nothing before it can be restored.</p>
      )}
    </li>
  );
}

/** The fields that a change changed, before and after. */
function Differences({ items, model }: { readonly items: Change['items']; readonly model: Model }) {
  return (
    <ul className="difference">
      {items
        .flatMap((item) => differenceOf(item, model))
        .map(({ id, field, before, after }) => (
          <li key={id}>
            <span className="muted">{field}</span> {before !== undefined && <del>{before}</del>}{' '}
            {after !== undefined && <ins>{after}</ins>}
          </li>
        ))}
    </ul>
  );
}
