import { Link } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { useBalance } from '../../app/balance';
import { useMe } from '../../app/me';
import { Status } from '../../components/badge';
import { Card, Figure } from '../../components/card';
import { Credits } from '../../components/format';
import { Page } from '../../components/page';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { nodesOf, type GraphNode } from '../../topology/graph';
import { useTopology, type Topology } from '../../topology/use-topology';
import { Alerts } from './alerts';
import { Checklist } from './checklist';
import './home.css';

const MACHINES = graphql('{ vmInstances { id name status billing { creditsPerHour } } }');

type Machine = ResultOf<typeof MACHINES>['vmInstances'][number];

/** What there is, what it costs, what needs attention, and what to do first. */
export function HomePage() {
  const { username } = useMe();
  const { topology } = useTopology();
  const [{ data }] = useQuery({ query: MACHINES, requestPolicy: 'cache-and-network' });
  return (
    <Page title="Home" lead={`Signed in as ${username}`}>
      <div className="figures">
        <BalanceFigure machines={data?.vmInstances ?? []} />
        <MachinesFigure machines={data?.vmInstances} />
        <PeersFigure topology={topology} />
      </div>
      <div className="columns">
        <Checklist topology={topology} hasMachine={(data?.vmInstances.length ?? 0) > 0} />
        <Alerts />
      </div>
    </Page>
  );
}

function BalanceFigure({ machines }: { readonly machines: readonly Machine[] }) {
  const balance = useBalance();
  const perHour = machines.reduce((sum, { billing }) => sum + Number(billing.creditsPerHour), 0);
  return (
    <Card>
      <Figure label="Balance" note={balance && lastingWords(Number(balance.balance), perHour)}>
        {balance ? <Credits amount={balance.balance} /> : '–'}
      </Figure>
      <Link to="/billing">Buy credits</Link>
    </Card>
  );
}

/** How long a balance lasts at the present cost, in words. */
function lastingWords(balance: number, perHour: number): string {
  if (perHour === 0) return 'Nothing is charged at the moment.';
  const hours = balance / perHour;
  const lasting = hours < 48 ? `${Math.floor(hours)} hours` : `${Math.floor(hours / 24)} days`;
  return `Lasts ${lasting} at ${perHour.toLocaleString()} credits an hour.`;
}

function MachinesFigure({ machines }: { readonly machines: readonly Machine[] | undefined }) {
  const alive = machines?.filter(({ status }) => status !== 'terminated') ?? [];
  const running = alive.filter(({ status }) => status === 'running').length;
  return (
    <Card>
      <Figure label="Machines running" note={machines ? `of ${alive.length}` : 'Machines are not enabled for you.'}>
        {running}
      </Figure>
    </Card>
  );
}

function PeersFigure({ topology }: { readonly topology: Topology }) {
  const peers = topology.state === 'live' ? nodesOf(topology.graph, 'peer') : [];
  const count = (status: GraphNode['meta']['status']) => peers.filter(({ meta }) => meta.status === status).length;
  const online = count('in_force') + count('applying');
  return (
    <Card>
      <Figure label="Peers online" note={`of ${peers.length} in the private network`}>
        {online}
      </Figure>
      <div className="row wrap small muted">
        <Status tone="good">{count('in_force')} up to date</Status>
        <Status tone="info">{count('applying')} applying</Status>
        <Status tone="warn">{count('stale')} not seen lately</Status>
      </div>
      <Link to="/network">Open the network</Link>
    </Card>
  );
}
