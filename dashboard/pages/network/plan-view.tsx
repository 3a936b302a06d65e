import { useMemo } from 'react';
import type { ResultOf } from '../../graphql/graphql';
import { Button } from '../../components/forms/button';
import { Problem } from '../../components/forms/problem';
import { counted } from '../../components/format';
import { isPassing } from '../../graphql/refusal';
import { trafficWords, type Model } from '../../topology/model';
import type { PLAN } from './operations';

type Plan = ResultOf<typeof PLAN>['planPolicy'];
type Traffic = Plan['opens'][number];

interface PlanViewProps {
  readonly model: Model;
  readonly plan: Plan | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly onRetry: () => void;
  /** The names of nodes that the plan brings back. */
  readonly deleted?: ReadonlyMap<string, string>;
}

/** Pairs that are listed; the rest is counted. */
const SHOWN = 40;

/** Who could reach what else, and who no longer, if a policy were applied. */
export function PlanView({ model, plan, error, isLoading, onRetry, deleted }: PlanViewProps) {
  const labels = useMemo(() => labelsOf(model, deleted), [model, deleted]);
  if (error !== undefined)
    return (
      <div className="stack tight" aria-busy={isLoading}>
        <Problem error={error} />
        {isPassing(error) && (
          <Button size="small" onPress={onRetry}>
            Try again
          </Button>
        )}
      </div>
    );
  return (
    <div className="plan" aria-busy={isLoading} aria-live="polite">
      <h3>What it would change</h3>
      {plan && plan.opensTotal + plan.closesTotal === 0 && (
        <p className="muted">Nothing: no machine would reach more or less than now.</p>
      )}
      {plan && plan.opensTotal > 0 && (
        <Side
          title={`${counted(plan.opensTotal, 'connection')} more`}
          tone="good"
          list={plan.opens}
          total={plan.opensTotal}
          labels={labels}
        />
      )}
      {plan && plan.closesTotal > 0 && (
        <Side
          title={`${counted(plan.closesTotal, 'connection')} less`}
          tone="bad"
          list={plan.closes}
          total={plan.closesTotal}
          labels={labels}
        />
      )}
      {!plan && <p className="muted">Working it out…</p>}
    </div>
  );
}

interface SideProps {
  readonly title: string;
  readonly tone: 'good' | 'bad';
  readonly list: readonly Traffic[];
  readonly total: number;
  readonly labels: ReadonlyMap<string, string>;
}

function Side({ title, tone, list, total, labels }: SideProps) {
  return (
    <details className={`plan-side ${tone}`} open>
      <summary>{title}</summary>
      <ul>
        {list.slice(0, SHOWN).map(({ from, to, protocol, ports }) => (
          <li key={`${from} ${to} ${protocol} ${ports.join()}`}>
            <span>{labels.get(from) ?? from}</span>
            <span className="muted"> to </span>
            <span>{labels.get(to) ?? to}</span>
            <span className="muted"> · {trafficWords(protocol, ports)}</span>
          </li>
        ))}
        {total > SHOWN && <li className="muted">and {total - SHOWN} more</li>}
      </ul>
    </details>
  );
}

function labelsOf({ peers, resources }: Model, deleted: PlanViewProps['deleted']): ReadonlyMap<string, string> {
  return new Map([...(deleted ?? []), ...[...peers, ...resources].map(({ id, label }) => [id, label] as const)]);
}
