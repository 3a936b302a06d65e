import { Undo2 } from 'lucide-react';
import { useEffect } from 'react';
import { useQuery } from 'urql';
import { Button } from '../../../components/forms/button';
import { graphql } from '../../../graphql/graphql';
import type { Model } from '../../../topology/model';
import type { Acts } from '../acts';
import { changeTitle, isOpen, whyIrreversible } from './difference';

/** Changes that are asked for: among more undos than that, the change to undo is not named. */
const MAX_CHANGES = 10;

const LATEST = graphql(`
  query ($limit: Int!) {
    networkChanges(limit: $limit) {
      id
      undoes
      undoneBy
      items {
        kind
        id
        before
        after
      }
    }
  }
`);

interface UndoButtonProps {
  readonly model: Model;
  readonly revision: number;
  readonly acts: Acts;
}

/** Undoes the last change, which it names, and no other: the server refuses if another came after. */
export function UndoButton({ model, revision, acts }: UndoButtonProps) {
  const [{ data }, reload] = useQuery({ query: LATEST, variables: { limit: MAX_CHANGES } });
  useEffect(() => reload({ requestPolicy: 'network-only' }), [revision, reload]);
  const last = data?.networkChanges.find(isOpen);
  const reason = last && whyIrreversible(last.items);
  const name = last ? `Undo: ${changeTitle(last.items, model)}` : 'Undo';
  return (
    <Button
      className="undo-button"
      icon={Undo2}
      disabled={!last || reason !== undefined}
      title={reason === undefined ? name : `Cannot be undone: the last change ${reason}.`}
      onPress={() => acts.undo(last?.id)}
    >
      <span className="truncate">{name}</span>
    </Button>
  );
}
