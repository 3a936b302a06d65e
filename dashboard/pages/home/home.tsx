import { Link } from '@tanstack/react-router';
import { useBalance } from '../../app/balance';
import { useMe } from '../../app/me';
import { Status } from '../../components/badge';
import { Card, Figure } from '../../components/card';
import { Credits, lasting } from '../../components/format';
import { Page } from '../../components/page';
import { nodesOf, type GraphNode } from '../../topology/graph';
import { useTopology, type Topology } from '../../topology/use-topology';
import { useMachineCosts } from '../billing/machine-costs';
import { Alerts } from './alerts';
import { Checklist } from './checklist';
import './home.css';

type Machine = NonNullable<ReturnType<typeof useMachineCosts>['machines']>[number];

/** What there is, what it costs, what needs attention, and what to do first. */
export function HomePage() {
  const { username } = useMe();
  const { topology } = useTopology();
  const { machines, perDay } = useMachineCosts();
  return (
    <Page title="Home" lead={`Signed in as ${username}`}>
      <div className="figures">
        <BalanceFigure perDay={perDay} />
        <MachinesFigure machines={machines} />
        <PeersFigure topology={topology} />
      </div>
      <div className="columns">
        <Checklist topology={topology} hasMachine={(machines?.length ?? 0) > 0} />
        <Alerts />
      </div>
    </Page>
  );
}

function BalanceFigure({ perDay }: { readonly perDay: number | undefined }) {
  const balance = useBalance();
  const isKnown = balance !== undefined && perDay !== undefined;
  return (
    <Card>
      <Figure label="Balance" note={isKnown ? lastingWords(Number(balance.balance), perDay) : '…'}>
        {balance ? <Credits amount={balance.balance} /> : '–'}
      </Figure>
      <Link to="/billing">Buy credits</Link>
    </Card>
  );
}

/** How long a balance lasts at the present cost, in words. */
function lastingWords(balance: number, perDay: number): string {
  if (perDay === 0) return 'No machine costs anything at the moment.';
  const cost = perDay.toLocaleString(undefined, { maximumFractionDigits: 4 });
  return `Lasts ${lasting((Math.max(balance, 0) / perDay) * 24)} at ${cost} credits a day.`;
}

function MachinesFigure({ machines }: { readonly machines: readonly Machine[] | undefined }) {
  const alive = machines?.filter(({ status }) => status !== 'terminated') ?? [];
  const running = alive.filter(({ status }) => status === 'running').length;
  return (
    <Card>
      <Figure
        label="Machines running"
        note={machines ? machinesWords(alive.length) : 'Machines are not enabled for you.'}
      >
        {running}
      </Figure>
      {machines && <Link to="/machines">Open the machines</Link>}
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

function PeersFigure({ topology }: { readonly topology: Topology }) {
  const isMissing = topology.state === 'missing';
  const peers = topology.state === 'live' ? nodesOf(topology.graph, 'peer') : [];
  const count = (status: GraphNode['meta']['status']) => peers.filter(({ meta }) => meta.status === status).length;
  const online = count('in_force') + count('applying');
  return (
    <Card>
      <Figure label="Peers online" note={isMissing ? NO_NETWORK : `of ${peers.length} in the private network`}>
        {online}
      </Figure>
      <div className="row wrap small muted">
        {PEER_STATES.filter(([, status]) => count(status) > 0).map(([tone, status, words]) => (
          <Status key={status} tone={tone}>
            {count(status)} {words}
          </Status>
        ))}
      </div>
      <Link to="/network">{isMissing ? 'Make a private network' : 'Open the network'}</Link>
    </Card>
  );
}
