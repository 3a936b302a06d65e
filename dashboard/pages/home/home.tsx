import { Link } from '@tanstack/react-router';
import { useMe } from '../../app/me';
import { Status } from '../../components/badge';
import { Card, Figure } from '../../components/card';
import { costAmount } from '../../components/costs';
import { Credits, lasting } from '../../components/format';
import { Page } from '../../components/page';
import { Outdated } from '../../components/states';
import { nodesOf, type GraphNode } from '../../topology/graph';
import { useTopology, type Topology } from '../../topology/use-topology';
import { useBalanceAndCosts, type Machine } from '../billing/daily-costs';
import { Alerts } from './alerts';
import { Checklist } from './checklist';
import './home.css';

/** What there is, what it costs, what needs attention, and what to do first. */
export function HomePage() {
  const { username } = useMe();
  const { topology } = useTopology();
  const { balance, machines, perDay, error, reload } = useBalanceAndCosts();
  return (
    <Page title="Home" lead={`Signed in as ${username}`}>
      {error !== undefined && <Outdated error={error} onRetry={reload} />}
      <div className="figures">
        <BalanceFigure balance={balance} perDay={perDay} error={error} />
        <MachinesFigure machines={machines} error={error} />
        <PeersFigure topology={topology} />
      </div>
      <div className="columns">
        <Checklist topology={topology} machines={machines ?? []} />
        <Alerts />
      </div>
    </Page>
  );
}

/** What stands for a number that is not known. */
function unknownWords(error: unknown): string {
  return error ? 'This could not be loaded.' : '…';
}

interface BalanceFigureProps {
  readonly balance: { readonly balance: string } | undefined;
  readonly perDay: number | undefined;
  readonly error: unknown;
}

function BalanceFigure({ balance, perDay, error }: BalanceFigureProps) {
  const isKnown = balance !== undefined && perDay !== undefined;
  return (
    <Card>
      <Figure label="Balance" note={isKnown ? lastingWords(Number(balance.balance), perDay) : unknownWords(error)}>
        {balance ? <Credits amount={balance.balance} /> : '–'}
      </Figure>
      <Link to="/billing">Buy credits</Link>
    </Card>
  );
}

/** How long a balance lasts at the present cost, in words. */
function lastingWords(balance: number, perDay: number): string {
  if (perDay === 0) return 'Nothing is charged at the moment.';
  return `Lasts ${lasting((Math.max(balance, 0) / perDay) * 24)} at ${costAmount(perDay)} credits a day.`;
}

interface MachinesFigureProps {
  readonly machines: readonly Machine[] | undefined;
  readonly error: unknown;
}

function MachinesFigure({ machines, error }: MachinesFigureProps) {
  const alive = machines?.filter(({ status }) => status !== 'terminated');
  return (
    <Card>
      <Figure label="Machines running" note={alive ? machinesWords(alive.length) : unknownWords(error)}>
        {alive?.filter(({ status }) => status === 'running').length ?? '–'}
      </Figure>
      <Link to="/machines">Open the machines</Link>
    </Card>
  );
}

function machinesWords(count: number): string {
  return count === 0 ? 'You have none yet.' : `of ${count}`;
}

const NO_NETWORK = 'You have no private network yet.';

/** The states of peers; those that no peer has are left out. */
const PEER_STATES = [
  ['good', 'in_force', 'up to date'],
  ['info', 'applying', 'applying'],
  ['warn', 'stale', 'not seen lately'],
  ['hollow', 'never_seen', 'never joined'],
] as const;

function peersWords(topology: Topology, count: number): string {
  if (topology.state === 'missing') return NO_NETWORK;
  return topology.state === 'live'
    ? `of ${count} in the private network`
    : unknownWords(topology.state === 'failed' && topology.error);
}

function PeersFigure({ topology }: { readonly topology: Topology }) {
  const isMissing = topology.state === 'missing';
  const peers = topology.state === 'live' ? nodesOf(topology.graph, 'peer') : [];
  const count = (status: GraphNode['meta']['status']) => peers.filter(({ meta }) => meta.status === status).length;
  const online = count('in_force') + count('applying');
  return (
    <Card>
      <Figure label="Peers online" note={peersWords(topology, peers.length)}>
        {isMissing || topology.state === 'live' ? online : '–'}
      </Figure>
      <div className="row wrap small muted">
        {PEER_STATES.filter(([, status]) => count(status) > 0).map(([tone, status, words]) => (
          <Status key={status} tone={tone}>
            {count(status)} {words}
          </Status>
        ))}
      </div>
      <Link to="/network">{isMissing ? 'Create a private network' : 'Open the network'}</Link>
    </Card>
  );
}
