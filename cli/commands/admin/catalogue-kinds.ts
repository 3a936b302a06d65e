import { graphql, type ResultOf } from '../../../sdk/src/index.js';
import { amountOf, countOf } from '../../failure.js';
import type { Session } from '../../session.js';

/** What is offered, and what was retired. */
export const CATALOGUE = graphql(`
  query {
    vmFlavors {
      ...Flavor
    }
    vmImages {
      ...Image
    }
    vmApplications {
      ...Application
    }
    adminRetiredVmFlavors {
      ...Flavor
    }
    adminRetiredVmImages {
      ...Image
    }
    adminRetiredVmApplications {
      ...Application
    }
  }
  fragment Flavor on VmFlavor {
    id
    name
    displayName
    description
    cpuCores
    memoryMb
    dataDiskGb
    creditsPerHour
    stoppedCreditsPerHour
  }
  fragment Image on VmImage {
    id
    slug
    name
    description
  }
  fragment Application on VmApplication {
    id
    slug
    name
    description
    logoUrl
    probePort
    probePath
    userData
  }
`);

const SAVE_FLAVOR = graphql(`
  mutation (
    $id: Int
    $name: String!
    $displayName: String!
    $description: String
    $cpuCores: Int!
    $memoryMb: Int!
    $dataDiskGb: Int!
    $creditsPerHour: Decimal!
    $stoppedCreditsPerHour: Decimal
  ) {
    item: adminSaveVmFlavor(
      id: $id
      name: $name
      displayName: $displayName
      description: $description
      cpuCores: $cpuCores
      memoryMb: $memoryMb
      dataDiskGb: $dataDiskGb
      creditsPerHour: $creditsPerHour
      stoppedCreditsPerHour: $stoppedCreditsPerHour
    ) {
      id
      name
    }
  }
`);
const SAVE_IMAGE = graphql(`
  mutation ($id: Int, $slug: String!, $name: String!, $description: String!) {
    item: adminSaveVmImage(id: $id, slug: $slug, name: $name, description: $description) {
      id
      slug
    }
  }
`);
const SAVE_APPLICATION = graphql(`
  mutation (
    $id: Int
    $slug: String!
    $name: String!
    $description: String!
    $logoUrl: String
    $probePort: Int
    $probePath: String
    $userData: String
  ) {
    item: adminSaveVmApplication(
      id: $id
      slug: $slug
      name: $name
      description: $description
      logoUrl: $logoUrl
      probePort: $probePort
      probePath: $probePath
      userData: $userData
    ) {
      id
      slug
    }
  }
`);

const RETIRE_FLAVOR = graphql('mutation ($id: Int!) { item: adminRetireVmFlavor(id: $id) { id name } }');
const RETIRE_IMAGE = graphql('mutation ($id: Int!) { item: adminRetireVmImage(id: $id) { id slug } }');
const RETIRE_APPLICATION = graphql('mutation ($id: Int!) { item: adminRetireVmApplication(id: $id) { id slug } }');

export type Noun = 'flavor' | 'image' | 'application';

/** A field of the API, such as `cpuCores`, which the option `--cpu-cores` gives. */
export interface Field {
  readonly name: string;
  /** What the option takes. */
  readonly value: string;
  readonly about: string;
  readonly isRequired?: boolean;
  /** The option names a file with the value. */
  readonly isFile?: boolean;
}

/** A kind of items: its fields, and how they are saved and retired. */
export interface Kind {
  /** The field that commands take as an argument. It is unique. */
  readonly key: 'name' | 'slug';
  readonly fields: readonly Field[];
  /** Words of an example after `create`. */
  readonly example: string;
  /** Adds an item, or changes the one with this id and offers it again. An empty text is no value. */
  readonly save: (client: Session['client'], id: number | null, text: (field: string) => string) => Promise<Saved>;
  readonly retire: (client: Session['client'], id: number) => Promise<Saved>;
}

interface Saved {
  readonly item: object & { readonly id: number };
}

const NAMED: readonly Field[] = [
  { name: 'name', value: 'text', about: 'name that users see', isRequired: true },
  { name: 'description', value: 'text', about: 'what it is', isRequired: true },
];

export const KINDS: Readonly<Record<Noun, Kind>> = {
  flavor: {
    key: 'name',
    fields: [
      { name: 'displayName', value: 'text', about: 'name that users see', isRequired: true },
      { name: 'cpuCores', value: 'count', about: 'virtual CPUs', isRequired: true },
      { name: 'memoryMb', value: 'count', about: 'memory in MiB', isRequired: true },
      { name: 'dataDiskGb', value: 'count', about: 'disk in GiB', isRequired: true },
      { name: 'creditsPerHour', value: 'amount', about: 'price of an hour of running', isRequired: true },
      { name: 'stoppedCreditsPerHour', value: 'amount', about: 'price of an hour while stopped' },
      { name: 'description', value: 'text', about: 'what it is for' },
    ],
    example: 'large --display-name Large --cpu-cores 8 --memory-mb 16384 --data-disk-gb 200 --credits-per-hour 1.5',
    save: (client, id, text) =>
      client.graphql(SAVE_FLAVOR, {
        id,
        name: text('name'),
        displayName: text('displayName'),
        description: text('description') || null,
        cpuCores: countOf(text('cpuCores')),
        memoryMb: countOf(text('memoryMb')),
        dataDiskGb: countOf(text('dataDiskGb')),
        creditsPerHour: amountOf(text('creditsPerHour')),
        stoppedCreditsPerHour: amountOf(text('stoppedCreditsPerHour') || '0'),
      }),
    retire: (client, id) => client.graphql(RETIRE_FLAVOR, { id }),
  },
  image: {
    key: 'slug',
    fields: NAMED,
    example: 'debian-13 --name "Debian 13" --description "Debian trixie"',
    save: (client, id, text) =>
      client.graphql(SAVE_IMAGE, { id, slug: text('slug'), name: text('name'), description: text('description') }),
    retire: (client, id) => client.graphql(RETIRE_IMAGE, { id }),
  },
  application: {
    key: 'slug',
    fields: [
      ...NAMED,
      { name: 'logoUrl', value: 'url', about: 'address of its logo' },
      { name: 'probePort', value: 'port', about: 'TCP port of the health check' },
      { name: 'probePath', value: 'path', about: 'HTTP path of the health check' },
      {
        name: 'userData',
        value: 'file',
        about: 'file with user data for cloud-init, run at the first boot; - reads standard input',
        isFile: true,
      },
    ],
    example: 'wiki --name Wiki --description "A wiki" --probe-port 80 --probe-path / --user-data wiki.yaml',
    save: (client, id, text) =>
      client.graphql(SAVE_APPLICATION, {
        id,
        slug: text('slug'),
        name: text('name'),
        description: text('description'),
        logoUrl: text('logoUrl') || null,
        probePort: text('probePort') === '' ? null : countOf(text('probePort')),
        probePath: text('probePath') || null,
        userData: text('userData') || null,
      }),
    retire: (client, id) => client.graphql(RETIRE_APPLICATION, { id }),
  },
};

/** The items of each kind; what is retired comes last. */
export function itemsOf(catalogue: ResultOf<typeof CATALOGUE>) {
  return {
    flavor: marked(catalogue.vmFlavors, catalogue.adminRetiredVmFlavors),
    image: marked(catalogue.vmImages, catalogue.adminRetiredVmImages),
    application: marked(catalogue.vmApplications, catalogue.adminRetiredVmApplications),
  };
}

function marked<Row extends object>(offered: readonly Row[], retired: readonly Row[]) {
  return [
    ...offered.map((row) => ({ ...row, isRetired: false })),
    ...retired.map((row) => ({ ...row, isRetired: true })),
  ];
}
