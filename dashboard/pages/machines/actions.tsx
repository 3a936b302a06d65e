import { useNavigate } from '@tanstack/react-router';
import { Play, RotateCw, Square, Trash2 } from 'lucide-react';
import { useClient } from 'urql';
import { Button } from '../../components/forms/button';
import { confirm } from '../../components/overlays/confirm';
import { showToast } from '../../components/toasts';
import { done } from '../../graphql/done';
import { graphql } from '../../graphql/graphql';

const START = graphql('mutation ($id: ID!) { startVm(id: $id) { id uuid status } }');
const STOP = graphql('mutation ($id: ID!) { stopVm(id: $id) { id uuid status } }');
const REBOOT = graphql('mutation ($id: ID!) { rebootVm(id: $id) { id uuid status } }');
const TERMINATE = graphql('mutation ($id: ID!) { terminateVm(id: $id) { id uuid status } }');

interface ActionsProps {
  readonly uuid: string;
  readonly name: string;
  readonly status: string;
}

/** The commands that the state of a machine allows. */
export function MachineActions({ uuid, name, status }: ActionsProps) {
  const { start, stop, reboot, terminate } = useCommands(uuid, name);
  return (
    <>
      {status === 'stopped' && (
        <Button kind="primary" icon={Play} onPress={start}>
          Start
        </Button>
      )}
      {status === 'running' && (
        <>
          <Button icon={RotateCw} onPress={reboot}>
            Reboot
          </Button>
          <Button icon={Square} onPress={stop}>
            Stop
          </Button>
        </>
      )}
      {status !== 'terminating' && status !== 'terminated' && (
        <Button kind="quiet" className="danger" icon={Trash2} onPress={terminate}>
          Terminate
        </Button>
      )}
    </>
  );
}

function useCommands(id: string, name: string) {
  const client = useClient();
  const navigate = useNavigate();
  const start = async () => {
    await done(client.mutation(START, { id }));
  };
  const stop = async () => {
    const text = 'Its programs end and its addresses do not answer until it is started again. Its disk is kept.';
    if (!(await confirm({ title: `Stop ${name}?`, text, action: 'Stop the machine' }))) return;
    await done(client.mutation(STOP, { id }));
  };
  const reboot = async () => {
    const text = 'Its programs end, and it is away for a moment.';
    if (!(await confirm({ title: `Reboot ${name}?`, text, action: 'Reboot the machine' }))) return;
    await done(client.mutation(REBOOT, { id }));
  };
  const terminate = async () => {
    const text = 'Its disk and everything on it are deleted. This cannot be undone.';
    if (!(await confirm({ title: `Terminate ${name}?`, text, action: 'Terminate the machine' }))) return;
    await done(client.mutation(TERMINATE, { id }));
    showToast(`${name} is being terminated.`);
    void navigate({ to: '/machines' });
  };
  return { start, stop, reboot, terminate };
}
