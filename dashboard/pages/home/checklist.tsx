import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { useBalance } from '../../app/balance';
import { useOnReturn } from '../../graphql/on-return';
import { Card } from '../../components/card';
import { Button } from '../../components/forms/button';
import { useInterval } from '../../components/interval';
import { graphql } from '../../graphql/graphql';
import { nodesOf } from '../../topology/graph';
import type { Topology } from '../../topology/use-topology';
import type { Machine } from '../billing/daily-costs';
import { useStepsDone } from './steps-done';

const BEGUN = graphql(`
  {
    me {
      id
      folders {
        label
      }
    }
    statement(first: 1) {
      lines {
        cursor
      }
    }
  }
`);

/** No event tells of a folder that another program makes. */
const RELOAD_MS = 10_000;

interface Step {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly to: string;
}

const STEPS: readonly Step[] = [
  { id: 'credits', title: 'Add credits', text: 'They pay for machines and storage.', to: '/billing' },
  {
    id: 'network',
    title: 'Create a private network',
    text: 'Your machines reach each other, encrypted, wherever they are.',
    to: '/network',
  },
  { id: 'peer', title: 'Let a machine join', text: 'One line, run as root on the machine.', to: '/network' },
  { id: 'policy', title: 'Draw a policy', text: 'Drag from one group to another.', to: '/network' },
  { id: 'machine', title: 'Start a machine', text: 'A virtual machine, charged by the second.', to: '/machines' },
  { id: 'folder', title: 'Sync a folder', text: 'Encrypted before it leaves your machine.', to: '/files' },
];
const STEP_IDS = STEPS.map(({ id }) => id);

interface ChecklistProps {
  readonly topology: Topology;
  readonly machines: readonly Machine[];
}

/** The first steps of a new user, each ticked once it has happened. They are not shown again after the last, nor when they are hidden. */
export function Checklist(props: ChecklistProps) {
  const [done, note] = useStepsDone();
  const [isShown, setShown] = useState(() => STEP_IDS.some((id) => !done.has(id)));
  const hide = () => {
    note(STEP_IDS);
    setShown(false);
  };
  return isShown && <FirstSteps {...props} done={done} onDone={note} onHide={hide} />;
}

interface FirstStepsProps extends ChecklistProps {
  readonly done: ReadonlySet<string>;
  readonly onDone: (ids: readonly string[]) => void;
  readonly onHide: () => void;
}

function FirstSteps({ topology, machines, done, onDone, onHide }: FirstStepsProps) {
  const present = [...useAccountSteps(done.has('folder')), ...networkSteps(topology), ...machineSteps(machines)];
  const added = present.filter((id) => !done.has(id)).join(' ');
  useEffect(() => {
    if (added !== '') onDone(added.split(' '));
  }, [added, onDone]);
  const count = STEP_IDS.filter((id) => done.has(id)).length;
  return (
    <Card
      title="First steps"
      actions={
        <>
          <span className="muted number">{`${count} of ${STEPS.length}`}</span>
          <Button kind="quiet" size="small" onPress={onHide}>
            Hide
          </Button>
        </>
      }
      isFlush
    >
      <ul className="lines">
        {STEPS.map((step) => (
          <StepLine key={step.id} {...step} isDone={done.has(step.id)} />
        ))}
      </ul>
    </Card>
  );
}

/** The steps of credits and files that are done. Credits that are spent again were added, too. */
function useAccountSteps(hasFolder: boolean): readonly string[] {
  const balance = Number(useBalance()?.balance ?? 0);
  const [{ data }, load] = useQuery({ query: BEGUN, requestPolicy: 'cache-and-network' });
  const reload = useCallback(() => load({ requestPolicy: 'network-only' }), [load]);
  useOnReturn(reload);
  useInterval(!hasFolder, RELOAD_MS, reload);
  const hasCredits = balance > 0 || (data?.statement.lines.length ?? 0) > 0;
  return [...(hasCredits ? ['credits'] : []), ...(data?.me.folders?.length ? ['folder'] : [])];
}

function networkSteps(topology: Topology): readonly string[] {
  if (topology.state !== 'live') return [];
  const hasPeer = nodesOf(topology.graph, 'peer').some(({ meta }) => meta.status !== 'never_seen');
  const hasPolicy = [...topology.graph.edges.values()].some(({ type, meta }) => type === 'policy' && !meta.isManaged);
  return ['network', ...(hasPeer ? ['peer'] : []), ...(hasPolicy ? ['policy'] : [])];
}

function machineSteps(machines: readonly Machine[]): readonly string[] {
  // One that failed or ended before it ran is none.
  const hasRun = machines.some(({ status, billing }) => status === 'running' || billing.ranSeconds > 0);
  return hasRun ? ['machine'] : [];
}

function StepLine({ title, text, to, isDone }: Step & { readonly isDone: boolean }) {
  const Icon = isDone ? CircleCheck : CircleDashed;
  return (
    <li className={isDone ? 'step done' : 'step'}>
      <Icon className="icon" aria-label={isDone ? 'Done' : 'To do'} />
      <div className="grow">
        <Link to={to}>{title}</Link>
        <p className="muted small">{text}</p>
      </div>
    </li>
  );
}
