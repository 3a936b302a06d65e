import { useQuery } from 'urql';
import { Dialog } from '../../../components/overlays/dialog';
import { Form } from '../../../components/forms/form';
import { graphql } from '../../../graphql/graphql';
import type { Model } from '../../../topology/model';
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
  }
`);

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
  return <PlanForm {...props} plan={plan} />;
}

type PlanFormProps = Omit<PlanDialogProps, 'revision'> & { readonly plan: ReturnType<typeof usePlan> };

function PlanForm({ model, question: { action, answer }, plan }: PlanFormProps) {
  return (
    <Form
      submit={action}
      isDangerous={action === 'Delete' || action === 'Restore'}
      onSubmit={() => answer(true)}
      onCancel={() => answer()}
      isDisabled={!plan.isReady}
    >
      <PlanView model={model} {...plan} />
    </Form>
  );
}
