import { useParams } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { Card, DescriptionList, Figure } from '../../components/card';
import { CopyLine } from '../../components/forms/copy';
import { counted, Credits, Time } from '../../components/format';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { MachineActions } from './actions';
import { ConsoleCard } from './console';
import { monthly } from './machine-cost';
import { MachineStatus, memory, useMachineChanges } from './machine-state';
import { WarningCard } from './warning-card';
import './machines.css';

const MACHINE = graphql(`
  query ($id: ID!) {
    vmInstance(id: $id) {
      id
      uuid
      name
      status
      wantedState
      errorMessage
      publicIp
      peer {
        id
        ip
      }
      sshPort
      isSimulated
      imageName
      application
      applicationHealth
      createdAt
      flavor {
        name
        cpuCores
        memoryMb
        diskGb
      }
      billing {
        state
        creditsPerHour
        stoppedCreditsPerHour
        chargedSoFar
        ranSeconds
        emptyAt
        warningMinutes
      }
    }
  }
`);

type Machine = ResultOf<typeof MACHINE>['vmInstance'];

const ABOVE = [{ title: 'Machines', to: '/machines' }];

/** One machine, as it changes. */
export function MachinePage() {
  const { id = '' } = useParams({ strict: false });
  const query = useQuery({ query: MACHINE, variables: { id }, requestPolicy: 'cache-and-network' });
  const [{ data }, reload] = query;
  const machine = data?.vmInstance;
  useMachineChanges(machine ? [machine.status] : [], reload);
  return (
    <Page
      title={machine?.name ?? 'Machine'}
      lead={machine && <MachineStatus state={machine.status} />}
      above={ABOVE}
      actions={machine && <MachineActions {...machine} />}
    >
      <QueryView query={query} lines={8}>
        {({ vmInstance }) => <Details key={vmInstance.id} {...vmInstance} />}
      </QueryView>
    </Page>
  );
}

function Details(machine: Machine) {
  const { status, errorMessage, publicIp, sshPort, isSimulated } = machine;
  return (
    <>
      {errorMessage !== null && (
        <p className="problem" role="alert">
          <TriangleAlert className="icon" aria-hidden />
          {errorMessage}
        </p>
      )}
      <div className="columns">
        <CostCard {...machine} />
        <Card title="Machine">
          <DescriptionList items={machineDetails(machine)} />
        </Card>
        {status !== 'terminated' && <WarningCard id={machine.uuid} minutes={machine.billing.warningMinutes} />}
      </div>
      {publicIp !== null && status === 'running' && (
        <Card title="Sign in">
          {isSimulated ? (
            <p>This machine is simulated: no host runs it, and its addresses do not answer.</p>
          ) : (
            <CopyLine label="Copy the command" text={sshCommand(publicIp, sshPort)} />
          )}
        </Card>
      )}
      <ConsoleCard id={machine.uuid} isRunning={status === 'running'} />
    </>
  );
}

function sshCommand(address: string, port: number): string {
  return port === 22 ? `ssh cloud@${address}` : `ssh -p ${port} cloud@${address}`;
}

function machineDetails(machine: Machine): readonly (readonly [string, ReactNode])[] {
  const { flavor, application, applicationHealth: health } = machine;
  return [
    ['Size', `${flavor.name}: ${flavor.cpuCores} CPU, ${memory(flavor.memoryMb)}, ${flavor.diskGb} GiB disk`],
    ['Image', machine.imageName],
    ['Application', application === null ? 'none' : `${application}${health === null ? '' : ` (${health})`}`],
    ['Public address', machine.publicIp === null ? 'none yet' : <code key="ip">{machine.publicIp}</code>],
    ['Private address', machine.peer === null ? 'none' : <code key="overlay">{machine.peer.ip}</code>],
    ['Created', <Time key="at" at={machine.createdAt} />],
  ];
}

function CostCard({ billing }: Machine) {
  const { creditsPerHour, stoppedCreditsPerHour, emptyAt, ranSeconds } = billing;
  return (
    <Card title="Cost">
      <Figure label="Credits so far" note={endingWords(billing.state, emptyAt)}>
        <Credits amount={billing.chargedSoFar} />
      </Figure>
      <DescriptionList
        items={[
          ['Running', `${creditsPerHour} an hour, ${monthly(creditsPerHour)} a month`],
          ['Stopped', Number(stoppedCreditsPerHour) === 0 ? 'free' : `${stoppedCreditsPerHour} an hour`],
          ['Ran for', duration(ranSeconds)],
        ]}
      />
    </Card>
  );
}

function endingWords(state: Machine['billing']['state'], emptyAt: string | null): string {
  if (state === 'empty') return 'It was stopped because your credits ended.';
  if (emptyAt !== null) return `Stops when credits end at ${new Date(emptyAt).toLocaleString()}.`;
  return state === 'charging' ? 'Your credits last for a long time.' : 'Nothing is charged at the moment.';
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${counted(Math.floor(hours / 24), 'day')}, ${counted(hours % 24, 'hour')}`;
  if (hours > 0) return `${counted(hours, 'hour')}, ${counted(minutes % 60, 'minute')}`;
  return `${counted(minutes, 'minute')}, ${counted(seconds % 60, 'second')}`;
}
