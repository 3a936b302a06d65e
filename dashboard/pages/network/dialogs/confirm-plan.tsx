import { Suspense, useEffect } from 'react';
import { lazyPart } from '../../../runtime/code';
import { useStore } from '../../../runtime/store';
import { createQuestions } from '../../../components/overlays/questions';
import type { Model, PolicyModel } from '../../../topology/model';
import type { PlannedPolicy } from '../use-plan';
import type { PlannedUndo, PlanQuestion } from './plan-question';

// Loaded with the first question.
const PlanDialog = lazyPart(async () => (await import('./plan-dialog')).PlanDialog);

const questions = createQuestions<PlanQuestion>();

/** Shows who gains and who loses by a change of a policy, and resolves to whether the user agrees. @throws CodeMissing */
export function confirmPlan(
  action: string,
  { policyId, traffic }: PolicyModel,
  change: PlannedPolicy,
): Promise<boolean> {
  const title = `${action} the policy “${traffic}”?`;
  return pose({ title, lead: 'You can undo it afterwards.', action, change: { id: policyId, ...change } });
}

/** Shows who gains and who loses by the undo of a change and all later ones, and resolves to whether the user agrees. @throws CodeMissing */
export function confirmRestore(words: Pick<PlanQuestion, 'title' | 'lead'>, change: PlannedUndo): Promise<boolean> {
  return pose({ ...words, action: 'Restore', change });
}

async function pose(question: PlanQuestion): Promise<boolean> {
  await PlanDialog.load();
  return (await questions.pose(question)) === true;
}

/** The place of the dialog that these functions open. A page that is left answers no. */
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
