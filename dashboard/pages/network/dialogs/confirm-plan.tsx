import { Suspense, useEffect } from 'react';
import { lazyPart } from '../../../app/code';
import { useStore } from '../../../app/store';
import { createQuestions } from '../../../components/overlays/questions';
import type { Model, PolicyModel } from '../../../topology/model';
import type { PlannedPolicy } from '../use-plan';

// Loaded with the first question.
const PlanDialog = lazyPart(async () => (await import('./plan-dialog')).PlanDialog);

/** A change of a policy that the user is to confirm. */
export interface PlanQuestion {
  readonly title: string;
  /** The words on the button that does it. */
  readonly action: string;
  readonly change: PlannedPolicy;
}

const questions = createQuestions<PlanQuestion>();

/** Shows who gains and who loses by a change of a policy, and resolves to whether the user agrees. @throws CodeMissing */
export async function confirmPlan(
  action: string,
  { policyId, traffic }: PolicyModel,
  change: PlannedPolicy,
): Promise<boolean> {
  await PlanDialog.load();
  const title = `${action} the policy “${traffic}”?`;
  return (await questions.pose({ title, action, change: { id: policyId, ...change } })) === true;
}

/** The place of the dialog that `confirmPlan` opens. A page that is left answers no. */
export function ConfirmPlan(network: { readonly model: Model; readonly revision: number }) {
  const [question] = useStore(questions.open);
  useEffect(() => questions.refuseAll, []);
  if (!question) return null;
  return (
    <Suspense>
      <PlanDialog {...network} question={question} />
    </Suspense>
  );
}
