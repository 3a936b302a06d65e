import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import { useBalance } from '../../app/balance';
import { hasRole } from '../../app/me';
import { Card } from '../../components/card';
import { Check, SelectField, TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { newIdempotencyKey } from '../../components/forms/idempotency-key';
import { Empty } from '../../components/states';
import { showToast } from '../../components/toasts';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { useTopology } from '../../topology/use-topology';
import { SizeChoice } from './size-choice';

const CATALOGUE = graphql(`
  {
    vmFlavors {
      id
      displayName
      description
      cpuCores
      memoryMb
      dataDiskGb
      creditsPerHour
      affordableHours
    }
    vmImages {
      id
      name
    }
    vmApplications {
      id
      name
      description
    }
    vmInstances {
      id
      sshPublicKey
    }
    me {
      id
      roles
    }
    areMachinesSimulated
  }
`);
const CREATE = graphql(`
  mutation (
    $flavor: Int!
    $image: Int!
    $application: Int
    $key: String!
    $name: String
    $joins: Boolean!
    $once: String!
  ) {
    spawnVm(
      flavorId: $flavor
      imageId: $image
      applicationId: $application
      sshPublicKey: $key
      name: $name
      joinNetwork: $joins
      idempotencyKey: $once
    ) {
      id
      uuid
      name
    }
  }
`);

type Catalogue = ResultOf<typeof CATALOGUE>;

/** Creates a machine from a size, an image and an SSH key. */
export function CreateMachinePage() {
  const query = useQuery({ query: CATALOGUE, requestPolicy: 'cache-and-network' });
  return (
    <Page
      title="Create a machine"
      lead="It starts at once, and costs credits from its first second of running."
      above={[{ title: 'Machines', to: '/machines' }]}
    >
      <QueryView query={query} lines={8}>
        {(catalogue) =>
          catalogue.vmFlavors.length > 0 && catalogue.vmImages.length > 0 ? (
            <>
              <Conditions {...catalogue} />
              <CreateForm {...catalogue} />
            </>
          ) : (
            <Empty title="No sizes or images yet">An administrator adds sizes and images to the catalogue.</Empty>
          )
        }
      </QueryView>
    </Page>
  );
}

/** Credits without which the platform creates no machine. */
const MIN_CREDITS = 10;

/** What the platform would say only after the form is filled in. */
function Conditions({ me, areMachinesSimulated }: Catalogue) {
  const balance = useBalance();
  return (
    <>
      {areMachinesSimulated && (
        <p>Machines are simulated on this platform: no host runs them, and their addresses do not answer.</p>
      )}
      {!hasRole(me, 'BETA') && (
        <p>Machines are in beta: an administrator must admit your account before you can create one.</p>
      )}
      {balance !== undefined && Number(balance.balance) - Number(balance.held) < MIN_CREDITS && (
        <div className="row wrap">
          <p>
            {Number(balance.balance) <= 0 && 'You have no credits. '}
            You need at least {MIN_CREDITS} credits that are not held for other machines.
          </p>
          <Link to="/billing" className="button small">
            Buy credits
          </Link>
        </div>
      )}
    </>
  );
}

function useCreation({ vmFlavors, vmImages, vmInstances }: Catalogue, hasNetwork: boolean) {
  const client = useClient();
  const navigate = useNavigate();
  const [once] = useState(newIdempotencyKey);
  const [flavor, setFlavor] = useState(vmFlavors[0]?.id ?? 0);
  const [image, setImage] = useState(vmImages[0]?.id ?? 0);
  const [application, setApplication] = useState<number | null>(null);
  const [key, setKey] = useState(vmInstances[0]?.sshPublicKey ?? '');
  const [name, setName] = useState('');
  const [isJoining, setJoins] = useState(true);
  const joins = isJoining && hasNetwork;
  const create = async () => {
    const values = { flavor, image, application, key: key.trim(), name: name.trim() || null, joins, once };
    const { spawnVm } = await done(client.mutation(CREATE, values));
    showToast(`${spawnVm.name} is being created.`);
    void navigate({ to: `/machines/${spawnVm.uuid}` });
  };
  const set = { setFlavor, setImage, setApplication, setKey, setName, setJoins };
  return { flavor, image, application, key, name, joins, ...set, create };
}

/** True while it loads, too: a form that is sent early must not leave the machine out silently; the platform decides. */
function useHasNetwork(): boolean {
  const { state } = useTopology().topology;
  return state === 'live' || state === 'loading';
}

function CreateForm(catalogue: Catalogue) {
  const { vmImages, vmApplications } = catalogue;
  const hasNetwork = useHasNetwork();
  const creation = useCreation(catalogue, hasNetwork);
  const described = vmApplications.find(({ id }) => id === creation.application)?.description;
  return (
    <Form submit="Create the machine" label="Create a machine" onSubmit={creation.create}>
      <SizeChoice sizes={catalogue.vmFlavors} chosen={creation.flavor} onChoose={creation.setFlavor} />
      <Card title="System">
        <div className="form-pair">
          <SelectField
            label="Image"
            value={creation.image}
            onChange={(event) => creation.setImage(Number(event.target.value))}
            options={vmImages.map(({ id, name }) => [String(id), name])}
          />
          <SelectField
            label="Application"
            hint={described ?? 'It is installed at the first boot.'}
            value={creation.application ?? ''}
            onChange={(event) => creation.setApplication(Number(event.target.value) || null)}
            options={[['', 'None'], ...vmApplications.map(({ id, name }) => [String(id), name] as const)]}
          />
        </div>
      </Card>
      <Card title="Access">
        <div className="form-pair">
          <TextField
            label="SSH public key"
            hint="The line in ~/.ssh/id_ed25519.pub; ssh-keygen makes one. You sign in as cloud."
            required
            spellCheck={false}
            placeholder="ssh-ed25519 AAAA…"
            value={creation.key}
            onChange={(event) => creation.setKey(event.target.value)}
          />
          <TextField
            label="Name"
            hint="Without one it is named after its size."
            maxLength={63}
            value={creation.name}
            onChange={(event) => creation.setName(event.target.value)}
          />
          <NetworkCheck hasNetwork={hasNetwork} isChecked={creation.joins} onChange={creation.setJoins} />
        </div>
      </Card>
    </Form>
  );
}

interface NetworkCheckProps {
  readonly hasNetwork: boolean;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

function NetworkCheck({ hasNetwork, isChecked, onChange }: NetworkCheckProps) {
  return (
    <div className="field">
      <Check
        label="Join my private network at the first boot"
        checked={isChecked}
        disabled={!hasNetwork}
        onChange={(event) => onChange(event.target.checked)}
      />
      {!hasNetwork && <span className="field-hint">Create a private network on the Network page first.</span>}
    </div>
  );
}
