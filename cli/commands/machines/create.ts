import { setTimeout as delay } from 'node:timers/promises';
import { graphql, type ResultOf } from '../../../sdk/src/index.js';
import { UsageError } from '../../failure.js';
import { findRow } from '../../find-row.js';
import { withKey, type Idempotent } from '../../idempotent.js';
import { readText } from '../../input.js';
import { warn } from '../../output.js';
import type { Session } from '../../session.js';

const CATALOGUE = graphql(`
  query {
    vmFlavors {
      id
      name
      displayName
      cpuCores
      memoryMb
      dataDiskGb
      creditsPerHour
    }
    vmImages {
      id
      name
      slug
    }
    vmApplications {
      id
      name
      slug
    }
  }
`);

const CREATE = graphql(`
  mutation (
    $flavor: Int!
    $image: Int!
    $application: Int
    $key: String!
    $name: String
    $join: Boolean!
    $idempotencyKey: String!
  ) {
    spawnVm(
      flavorId: $flavor
      imageId: $image
      applicationId: $application
      sshPublicKey: $key
      name: $name
      joinNetwork: $join
      idempotencyKey: $idempotencyKey
    ) {
      id
      name
      status
    }
  }
`);

const STATE = graphql(
  'query ($id: ID!) { vmInstance(id: $id) { id name status errorMessage publicIp nebulaIp sshPort isSimulated } }',
);
type State = ResultOf<typeof STATE>['vmInstance'];

export async function listCatalogue({ client, output }: Session): Promise<void> {
  const { vmFlavors, vmImages, vmApplications } = await client.graphql(CATALOGUE);
  if (output.isJson) return output.json({ flavors: vmFlavors, images: vmImages, applications: vmApplications });
  output.table(vmFlavors, [
    ['flavor', ({ name }) => name],
    ['cores', ({ cpuCores }) => cpuCores],
    ['memory MiB', ({ memoryMb }) => memoryMb],
    ['disk GiB', ({ dataDiskGb }) => dataDiskGb],
    ['credits per hour', ({ creditsPerHour }) => creditsPerHour],
  ]);
  for (const [title, rows] of [
    ['image', vmImages],
    ['application', vmApplications],
  ] as const) {
    output.line('');
    output.table(rows, [
      [title, ({ slug }) => slug],
      ['name', ({ name }) => name],
    ]);
  }
}

export interface CreateOptions extends Idempotent {
  readonly flavor: string;
  readonly image: string;
  readonly app?: string;
  readonly key: string;
  readonly join: boolean;
  readonly wait?: boolean;
}

/** Creates a machine; with `--wait` waits until it runs. */
export async function createMachine(session: Session, name: string, given: Partial<CreateOptions>): Promise<void> {
  const { client, output, program, signal } = session;
  const options = complete(session, given);
  const { vmFlavors, vmImages, vmApplications } = await client.graphql(CATALOGUE);
  const key = await readText(options.key);
  const request = {
    name,
    key: key.trim(),
    flavor: choose(session, 'flavor', vmFlavors, options.flavor),
    image: choose(session, 'image', vmImages, options.image),
    application: options.app === undefined ? null : choose(session, 'application', vmApplications, options.app),
    join: options.join,
  };
  const { spawnVm: machine } = await withKey(session, options, (idempotencyKey) =>
    client.graphql(CREATE, { ...request, idempotencyKey }, { isRepeatable: true }),
  );
  if (options.wait !== true) return output.done(`created ${machine.name} with the id ${machine.id}`, machine);
  warn(`created ${machine.name} with the id ${machine.id}`);
  const running = await waitUntilRunning(client, String(machine.id), signal);
  const next = running.isSimulated
    ? 'it is simulated, so it has no shell'
    : `open a shell with: ${program} vm ssh ${running.id}`;
  output.done(`${running.name} is running; ${next}`, running);
}

/** Commander names only the first option that is missing. @throws UsageError with all of them */
function complete(
  { program }: Session,
  { flavor, image, key, join = true, ...rest }: Partial<CreateOptions>,
): CreateOptions {
  if (flavor !== undefined && image !== undefined && key !== undefined) return { flavor, image, key, join, ...rest };
  const missing = Object.entries({ flavor, image, key }).filter(([, value]) => value === undefined);
  const names = missing.map(([name]) => `--${name}`).join(', ');
  throw new UsageError(`Give ${names}; ${program} vm catalogue lists flavors and images.`);
}

/** States of a machine that was stopped or terminated before it was seen running: it does not run by itself. */
const ENDED: ReadonlySet<string> = new Set(['stopping', 'stopped', 'terminating', 'terminated']);

async function waitUntilRunning(client: Session['client'], id: string, signal: AbortSignal): Promise<State> {
  for (;;) {
    const { vmInstance } = await client.graphql(STATE, { id });
    if (vmInstance.status === 'running') return vmInstance;
    if (vmInstance.status === 'failed') throw new Error(vmInstance.errorMessage ?? 'The machine failed.');
    if (ENDED.has(vmInstance.status)) throw new Error(`The machine is ${vmInstance.status}.`);
    await delay(1000, undefined, { signal });
  }
}

function choose(
  { program }: Session,
  kind: string,
  rows: readonly { id: number; name: string; displayName?: string; slug?: string }[],
  word: string,
): number {
  // Names are unique; display names need not be.
  const isName = rows.some(({ name }) => name === word);
  const namesOf = ({ name, displayName, slug }: (typeof rows)[number]) => (isName ? [name] : [displayName, slug]);
  return findRow(rows, word, { kind, namesOf, list: `${program} vm catalogue` }).id;
}
