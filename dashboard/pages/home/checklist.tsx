import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { useCallback } from 'react';
import { useQuery } from 'urql';
import { useBalance } from '../../app/balance';
import { useOnReturn } from '../../app/on-return';
import { Card } from '../../components/card';
import { graphql } from '../../graphql/graphql';
import { nodesOf } from '../../topology/graph';
import type { Topology } from '../../topology/use-topology';

const FOLDERS = graphql('{ me { id folders { label } } }');

interface Step {
  readonly title: string;
  readonly text: string;
  readonly to: string;
  readonly isDone: boolean;
}

/** The first steps of a new user, each ticked when it has happened. */
export function Checklist({ topology, hasMachine }: { readonly topology: Topology; readonly hasMachine: boolean }) {
  const balance = useBalance();
  const [{ data }, reload] = useQuery({ query: FOLDERS, requestPolicy: 'cache-and-network' });
  useOnReturn(useCallback(() => reload({ requestPolicy: 'network-only' }), [reload]));
  const hasFolder = (data?.me.folders?.length ?? 0) > 0;
  const steps = [
    {
      title: 'Add credits',
      text: 'They pay for machines and storage.',
      to: '/billing',
      isDone: Number(balance?.balance ?? 0) > 0,
    },
    ...networkSteps(topology),
    {
      title: 'Start a machine',
      text: 'A virtual machine, charged by the second.',
      to: '/machines',
      isDone: hasMachine,
    },
    { title: 'Sync a folder', text: 'Encrypted before it leaves your machine.', to: '/files', isDone: hasFolder },
  ];
  const count = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card title="First steps" actions={<span className="muted number">{`${count} of ${steps.length}`}</span>} isFlush>
      <ul className="lines">
        {steps.map((step) => (
          <StepLine key={step.title} {...step} />
        ))}
      </ul>
    </Card>
  );
}

function networkSteps(topology: Topology): Step[] {
  const graph = topology.state === 'live' ? topology.graph : undefined;
  const peers = graph ? nodesOf(graph, 'peer') : [];
  const policies = [...(graph?.edges.values() ?? [])].filter(({ type, meta }) => type === 'policy' && !meta.isManaged);
  const to = '/network';
  return [
    {
      title: 'Make a private network',
      text: 'Your machines reach each other, encrypted, wherever they are.',
      to,
      isDone: graph !== undefined,
    },
    {
      title: 'Let a machine join',
      text: 'One line, run as root on the machine.',
      to,
      isDone: peers.some(({ meta }) => meta.status !== 'never_seen'),
    },
    { title: 'Draw a policy', text: 'Drag from one group to another.', to, isDone: policies.length > 0 },
  ];
}

function StepLine({ title, text, to, isDone }: Step) {
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
