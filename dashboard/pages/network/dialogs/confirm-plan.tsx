import { lazy, Suspense } from 'react';
import { useStore } from '../../../app/store';
import { createSessionStore } from '../../../session/session';
import type { Model, PolicyModel } from '../../../topology/model';
import type { PlannedPolicy } from '../use-plan';

// Loaded with the first question.
const PlanDialog = lazy(async () => ({ default: (await import('./plan-dialog')).PlanDialog }));

/** A change of a policy that the user is to confirm. */
export interface OpenQuestion {
  readonly title: string;
  /** The words on the button that does it. */
  readonly action: string;
  readonly change: PlannedPolicy;
  readonly answer: (isConfirmed: boolean) => void;
}

const openQuestion = createSessionStore<OpenQuestion | null>(null);

/** Shows who gains and who loses by a change of a policy, and resolves to whether the user agrees. */
export function confirmPlan(
  action: string,
  { policyId, traffic }: PolicyModel,
  change: PlannedPolicy,
): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      openQuestion.set(null);
      resolve(isConfirmed);
    };
    const title = `${action} the policy “${traffic}”?`;
    openQuestion.set({ title, action, change: { id: policyId, ...change }, answer });
  });
}

/** The place of the dialog that `confirmPlan` opens. */
export function ConfirmPlan(network: { readonly model: Model; readonly revision: number }) {
  const question = useStore(openQuestion);
  if (!question) return null;
  return (
    <Suspense>
      <PlanDialog {...network} question={question} />
    </Suspense>
  );
}
