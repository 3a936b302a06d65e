import { Dialog } from '../../../components/overlays/dialog';
import { Form } from '../../../components/forms/form';
import type { Model } from '../../../topology/model';
import { PlanView } from '../plan-view';
import { usePlan } from '../use-plan';
import type { OpenQuestion } from '../../../components/overlays/questions';
import type { PlanQuestion } from './confirm-plan';

interface PlanDialogProps {
  readonly model: Model;
  readonly revision: number;
  readonly question: OpenQuestion<PlanQuestion>;
}

/** A change of a policy with who gains and who loses by it, to confirm. */
export function PlanDialog(props: PlanDialogProps) {
  const { id, title, answer } = props.question;
  return (
    <Dialog title={title} lead="You can undo it afterwards." isOpen isWide onClose={() => answer()}>
      <PlanForm key={id} {...props} />
    </Dialog>
  );
}

function PlanForm({ model, revision, question: { action, change, answer } }: PlanDialogProps) {
  const plan = usePlan(change, revision);
  return (
    <Form
      submit={action}
      isDangerous={action === 'Delete'}
      onSubmit={() => answer(true)}
      onCancel={() => answer()}
      isDisabled={!plan.isReady}
    >
      <PlanView model={model} {...plan} />
    </Form>
  );
}
