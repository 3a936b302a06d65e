import { Link } from '@tanstack/react-router';
import { Plus, Server } from 'lucide-react';
import { useQuery } from 'urql';
import { Card } from '../../components/card';
import { CopyButton } from '../../components/forms/copy';
import { Credits } from '../../components/format';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { creditsPerHourNow, monthly } from './machine-cost';
import { MachineStatus, useMachineChanges } from './machine-state';

const MACHINES = graphql(`
  {
    vmInstances {
      id
      uuid
      name
      status
      publicIp
      peer {
        id
        ip
      }
      imageName
      flavorName
      billing {
        state
        creditsPerHour
        stoppedCreditsPerHour
        chargedSoFar
      }
    }
  }
`);

type Machine = ResultOf<typeof MACHINES>['vmInstances'][number];

const COLUMNS: readonly Column<Machine>[] = [
  {
    id: 'name',
    title: 'Name',
    value: ({ name }) => name,
    cell: ({ name, uuid }) => <Link to={`/machines/${uuid}`}>{name}</Link>,
  },
  {
    id: 'state',
    title: 'State',
    value: ({ status }) => status,
    cell: ({ status }) => <MachineStatus state={status} />,
  },
  {
    id: 'address',
    title: 'Public address',
    value: ({ publicIp }) => publicIp ?? '',
    cell: ({ publicIp }) => (publicIp === null ? <span className="muted">none yet</span> : <Address text={publicIp} />),
  },
  {
    id: 'private-address',
    title: 'Private address',
    value: ({ peer }) => peer?.ip ?? '',
    cell: ({ peer }) => (peer === null ? <span className="muted">none</span> : <Address text={peer.ip} />),
  },
  { id: 'image', title: 'Image', value: ({ imageName }) => imageName, cell: ({ imageName }) => imageName },
  { id: 'size', title: 'Size', value: ({ flavorName }) => flavorName, cell: ({ flavorName }) => flavorName },
  {
    id: 'cost',
    title: 'Cost so far',
    isAtEnd: true,
    value: ({ billing }) => Number(billing.chargedSoFar),
    cell: ({ billing }) => <Credits amount={billing.chargedSoFar} />,
  },
  {
    id: 'month',
    title: 'Per month',
    isAtEnd: true,
    value: creditsPerHourNow,
    cell: (machine) => <MonthlyCost {...machine} />,
  },
];

/** What the machine costs as it is, and what it would cost if it ran. */
function MonthlyCost(machine: Machine) {
  const { status, billing } = machine;
  const present = creditsPerHourNow(machine);
  const mayRun = !ENDED.has(status) && present !== Number(billing.creditsPerHour);
  return (
    <>
      <span className="number" title={`${present} credits an hour`}>
        {monthly(present)}
      </span>
      {mayRun && (
        <span className="muted small" title={`${billing.creditsPerHour} credits an hour of running`}>
          {` · ${monthly(billing.creditsPerHour)} when running`}
        </span>
      )}
    </>
  );
}

/** States of a machine that never runs again. */
const ENDED: ReadonlySet<Machine['status']> = new Set(['terminating', 'terminated', 'failed']);

function Address({ text }: { readonly text: string }) {
  return (
    <span className="row">
      <code>{text}</code>
      <CopyButton text={text} label="Copy the address" />
    </span>
  );
}

/** The machines of the user, as they change. */
export function MachinesPage() {
  const query = useQuery({ query: MACHINES, requestPolicy: 'cache-and-network' });
  const [{ data }, reload] = query;
  useMachineChanges(data?.vmInstances.map(({ status }) => status) ?? [], reload);
  return (
    <Page
      title="Machines"
      lead="Virtual machines, charged by the second while they run. Costs are in credits."
      actions={<CreateLink />}
    >
      <Card isFlush>
        <QueryView query={query}>
          {({ vmInstances }) => (
            <Table
              label="Machines"
              columns={COLUMNS}
              rows={vmInstances}
              rowId={({ uuid }) => uuid}
              empty={
                <Empty icon={Server} title="No machines yet" action={<CreateLink />}>
                  Choose a size and an image, paste your SSH key, and sign in to the machine in about a minute.
                </Empty>
              }
            />
          )}
        </QueryView>
      </Card>
    </Page>
  );
}

function CreateLink() {
  return (
    <Link to="/machines/new" className="button primary">
      <Plus className="icon" aria-hidden />
      Create a machine
    </Link>
  );
}
