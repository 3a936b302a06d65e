import { Layers } from 'lucide-react';
import { useClient, useQuery } from 'urql';
import { Button } from '../../components/button';
import { Card } from '../../components/card';
import { confirm } from '../../components/confirm';
import { counted } from '../../components/format';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/table';
import { tell } from '../../components/toasts';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';

const CATALOGUE = graphql(`
  {
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
const RETIRE_FLAVOR = graphql('mutation ($id: Int!) { adminRetireVmFlavor(id: $id) { id } }');
const RETIRE_IMAGE = graphql('mutation ($id: Int!) { adminRetireVmImage(id: $id) { id } }');
const RETIRE_APPLICATION = graphql('mutation ($id: Int!) { adminRetireVmApplication(id: $id) { id } }');

/** A line of the catalogue. */
interface Item {
  readonly kind: 'Flavor' | 'Image' | 'Application';
  readonly id: number;
  readonly name: string;
  readonly about: string;
}

/** What machines can be made of. Retired items are no longer offered; machines that use them go on. */
export function Catalogue() {
  const query = useQuery({ query: CATALOGUE, requestPolicy: 'cache-and-network' });
  const client = useClient();
  const retire = async ({ kind, id, name }: Item) => {
    const text = 'It is no longer offered. Machines that use it go on.';
    if (!(await confirm({ title: `Retire ${name}?`, text, action: 'Retire it' }))) return;
    if (kind === 'Flavor') await done(client.mutation(RETIRE_FLAVOR, { id }));
    else if (kind === 'Image') await done(client.mutation(RETIRE_IMAGE, { id }));
    else await done(client.mutation(RETIRE_APPLICATION, { id }));
    tell(`${name} is retired.`);
    query[1]({ requestPolicy: 'network-only' });
  };
  return (
    <Card title="Catalogue" isFlush>
      <QueryView query={query}>
        {(data) => (
          <Table
            label="Catalogue"
            columns={columnsOf(retire)}
            rows={itemsOf(data)}
            rowId={({ kind, id }) => `${kind} ${id}`}
            empty={<Empty icon={Layers} title="The catalogue is empty" />}
          />
        )}
      </QueryView>
    </Card>
  );
}

function itemsOf({ vmFlavors, vmImages, vmApplications }: ResultOf<typeof CATALOGUE>): readonly Item[] {
  return [
    ...vmFlavors.map(({ id, displayName, cpuCores, memoryMb, dataDiskGb, creditsPerHour }) => ({
      kind: 'Flavor' as const,
      id,
      name: displayName,
      about: `${counted(cpuCores, 'core')}, ${memoryMb / 1024} GiB memory, ${dataDiskGb} GB disk, ${creditsPerHour} credits per hour`,
    })),
    ...vmImages.map(({ id, name, slug }) => ({ kind: 'Image' as const, id, name, about: slug })),
    ...vmApplications.map(({ id, name, slug }) => ({ kind: 'Application' as const, id, name, about: slug })),
  ];
}

function columnsOf(retire: (item: Item) => Promise<void>): readonly Column<Item>[] {
  return [
    { id: 'name', title: 'Name', value: ({ name }) => name, cell: ({ name }) => <strong>{name}</strong> },
    { id: 'kind', title: 'Kind', value: ({ kind }) => kind, cell: ({ kind }) => kind },
    {
      id: 'about',
      title: 'About',
      cell: ({ about }) => (
        <span className="muted" style={{ whiteSpace: 'nowrap' }}>
          {about}
        </span>
      ),
    },
    {
      id: 'actions',
      title: 'Actions',
      hidesTitle: true,
      isAtEnd: true,
      cell: (item) => (
        <Button size="small" onPress={() => retire(item)}>
          Retire
        </Button>
      ),
    },
  ];
}
