import { Layers, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import { Badge } from '../../components/badge';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { confirm } from '../../components/overlays/confirm';
import { QueryView } from '../../components/query-view';
import { SearchInput } from '../../components/forms/search-input';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { showToast } from '../../components/toasts';
import { CatalogueDialog } from './catalogue-dialog';
import { itemsOf, KINDS, savedFrom, type Item, type Kind } from './catalogue-kinds';
import { CATALOGUE } from './catalogue-operations';

const NEW: readonly Kind[] = ['Size', 'Image', 'Application'];

/** What machines can be made of. Retired items are no longer offered until they are saved again. */
export function Catalogue() {
  const query = useQuery({ query: CATALOGUE, requestPolicy: 'cache-and-network' });
  const client = useClient();
  const [edited, edit] = useState<Item>();
  const [text, setText] = useState('');
  const word = text.trim().toLowerCase();
  const reload = () => query[1]({ requestPolicy: 'network-only' });
  const retire = async ({ kind, id, name }: Item) => {
    const text = 'It is no longer offered. Machines that use it keep running.';
    if (id === undefined || !(await confirm({ title: `Retire ${name}?`, text, action: 'Retire it' }))) return;
    await KINDS[kind].retire(client, id);
    showToast(`${name} is retired.`);
    reload();
  };
  const offer = async (item: Item) => {
    await savedFrom(client, item, item.values);
    showToast(`${item.name} is offered again.`);
    reload();
  };
  return (
    <Card
      title="Catalogue"
      isFlush
      actions={
        <div className="row wrap">
          <SearchInput label="Search the catalogue" text={text} onChange={setText} />
          <AddButtons onAdd={edit} />
        </div>
      }
    >
      <QueryView query={query}>
        {(data) => (
          <Table
            label="Catalogue"
            columns={columnsOf({ edit, retire, offer })}
            rows={itemsOf(data).filter(({ name }) => name.toLowerCase().includes(word))}
            rowId={({ kind, id }) => `${kind} ${id ?? ''}`}
            empty={
              <Empty icon={Layers} title={word === '' ? 'The catalogue is empty' : `No items match “${text.trim()}”`} />
            }
          />
        )}
      </QueryView>
      {edited && <CatalogueDialog item={edited} onDone={reload} onClose={() => edit(undefined)} />}
    </Card>
  );
}

function AddButtons({ onAdd }: { readonly onAdd: (item: Item) => void }) {
  return NEW.map((kind) => (
    <Button
      key={kind}
      size="small"
      icon={Plus}
      onPress={() => onAdd({ kind, name: '', about: '', isRetired: false, values: {} })}
    >
      {kind}
    </Button>
  ));
}

interface ItemActs {
  readonly edit: (item: Item) => void;
  readonly retire: (item: Item) => Promise<void>;
  readonly offer: (item: Item) => Promise<void>;
}

function columnsOf({ edit, retire, offer }: ItemActs): readonly Column<Item>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      value: ({ name }) => name,
      cell: ({ name, isRetired }) => (
        <span className="row">
          <strong>{name}</strong> {isRetired && <Badge>retired</Badge>}
        </span>
      ),
    },
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
        <div className="row">
          <Button size="small" label={`Change ${item.name}`} icon={Pencil} onPress={() => edit(item)} />
          <Button size="small" onPress={() => (item.isRetired ? offer(item) : retire(item))}>
            {item.isRetired ? 'Offer again' : 'Retire'}
          </Button>
        </div>
      ),
    },
  ];
}
