import { useMemo } from 'react';
import { useQuery } from 'urql';
import { Dialog } from '../../../components/overlays/dialog';
import { Form } from '../../../components/forms/form';
import { graphql, type ResultOf } from '../../../graphql/graphql';
import type { Model } from '../../../topology/model';
import { rowOf, wordsOf } from '../history/difference';
import { PlanView } from '../plan-view';
import { readiness, usePlan, usePlanContext, type PlannedPolicy } from '../use-plan';
import type { OpenQuestion } from '../../../components/overlays/questions';
import type { PlanQuestion } from './plan-question';

const PLAN_UNDO = graphql(`
  query ($id: String!) {
    planUndo(id: $id) {
      opensTotal
      closesTotal
      opens {
        from
        to
        protocol
        ports
      }
      closes {
        from
        to
        protocol
        ports
      }
    }
    networkChanges(limit: 50) {
      items {
        kind
        id
        before
      }
    }
  }
`);

type Changes = ResultOf<typeof PLAN_UNDO>['networkChanges'];

interface PlanDialogProps {
  readonly model: Model;
  readonly revision: number;
  readonly question: OpenQuestion<PlanQuestion>;
}

/** A change of the network with who gains and who loses by it, to confirm. */
export function PlanDialog(props: PlanDialogProps) {
  const { id, title, lead, change, answer } = props.question;
  return (
    <Dialog title={title} lead={lead} isOpen isWide onClose={() => answer()}>
      {'undoes' in change ? (
        <UndoForm key={id} {...props} id={change.undoes} />
      ) : (
        <PolicyForm key={id} {...props} change={change} />
      )}
    </Dialog>
  );
}

function PolicyForm({ change, ...props }: PlanDialogProps & { readonly change: PlannedPolicy }) {
  return <PlanForm {...props} plan={usePlan(change, props.revision)} />;
}

function UndoForm({ id, ...props }: PlanDialogProps & { readonly id: string }) {
  const context = usePlanContext(props.revision);
  const [state, reload] = useQuery({ query: PLAN_UNDO, variables: { id }, context });
  const plan = { ...readiness(state), plan: state.data?.planUndo, onRetry: () => reload() };
  const changes = state.data?.networkChanges;
  const deleted = useMemo(() => deletedResources(changes ?? []), [changes]);
  return <PlanForm {...props} plan={plan} deleted={deleted} />;
}

/** The names that resources had before these changes, by their node; of two names, the one before the newest change. */
function deletedResources(changes: Changes): ReadonlyMap<string, string> {
  const rows = changes.flatMap(({ items }) =>
    items.filter(({ kind, before }) => kind === 'resource' && before !== null),
  );
  return new Map(rows.toReversed().map(({ id, before }) => [`resource:${id}`, wordsOf(rowOf(before).name) ?? id]));
}

interface PlanFormProps extends Omit<PlanDialogProps, 'revision'> {
  readonly plan: ReturnType<typeof usePlan>;
  readonly deleted?: ReadonlyMap<string, string>;
}

function PlanForm({ model, question: { action, answer }, plan, deleted }: PlanFormProps) {
  return (
    <Form
      submit={action}
      isDangerous={action === 'Delete' || action === 'Restore'}
      onSubmit={() => answer(true)}
      onCancel={() => answer()}
      isDisabled={!plan.isReady}
    >
      <PlanView model={model} {...plan} {...(deleted && { deleted })} />
    </Form>
  );
}
