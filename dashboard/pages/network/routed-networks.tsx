import { Plus, Router } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { Badge, Status } from '../../components/badge';
import { Button } from '../../components/button';
import { Card } from '../../components/card';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import type { ResultOf } from '../../graphql/graphql';
import type { GraphNode } from '../../topology/graph';
import type { Model } from '../../topology/model';
import type { Acts } from './acts';
import { NETWORKS } from './operations';
import { AddDialog, type Addition } from './routed-dialogs';

type RoutedNetwork = ResultOf<typeof NETWORKS>['networks'][number];

interface RoutedNetworksProps {
  readonly model: Model;
  readonly acts: Acts;
}

/** Networks behind routers: what is in them and which peers lead there. */
export function RoutedNetworks({ model, acts }: RoutedNetworksProps) {
  const query = useQuery({ query: NETWORKS, requestPolicy: 'cache-and-network' });
  const [, reload] = query;
  const client = useClient();
  const [open, setOpen] = useState<Addition>();
  useEffect(
    () => reload({ requestPolicy: 'network-only' }),
    [model.resources.length, model.routers.length, client, reload],
  );
  const close = () => {
    setOpen(undefined);
    reload({ requestPolicy: 'network-only' });
  };
  return (
    <div className="stack">
      <div className="toolbar">
        <p className="muted grow">
          A router is a peer that leads to addresses that do not join: a printer, a database, an office.
        </p>
        <Button icon={Plus} onPress={() => setOpen({ kind: 'network' })}>
          New network
        </Button>
      </div>
      <QueryView query={query}>
        {({ networks }) => (
          <div className="columns">
            {networks.map((network) => (
              <NetworkCard key={network.id} network={network} model={model} acts={acts} onAdd={setOpen} />
            ))}
          </div>
        )}
      </QueryView>
      {open && <AddDialog addition={open} model={model} acts={acts} onClose={close} />}
    </div>
  );
}

interface NetworkCardProps extends RoutedNetworksProps {
  readonly network: RoutedNetwork;
  readonly onAdd: (addition: Addition) => void;
}

function NetworkCard({ network: { id, name, isDefault }, model, acts, onAdd }: NetworkCardProps) {
  const own = ({ meta }: GraphNode) => meta.networkId === id;
  const resources = model.resources.filter(own);
  const routers = model.routers.filter(own);
  return (
    <Card
      title={
        <span className="row">
          {name} {isDefault && <Badge>default</Badge>}
        </span>
      }
      isFlush
      actions={
        <>
          <Button size="small" onPress={() => onAdd({ kind: 'router', networkId: id })}>
            Add a router
          </Button>
          <Button size="small" onPress={() => onAdd({ kind: 'resource', networkId: id })}>
            Add a resource
          </Button>
        </>
      }
    >
      {resources.length + routers.length === 0 ? (
        <Empty icon={Router} title="Nothing is in it yet">
          Add a router, which is one of your peers, and the addresses behind it.
        </Empty>
      ) : (
        <ul className="lines">
          {routers.map((router) => (
            <Line
              key={router.id}
              node={router}
              about={`router, metric ${router.meta.metric ?? ''}`}
              onDelete={() => acts.deleteRouter(router)}
            />
          ))}
          {resources.map((resource) => (
            <Line
              key={resource.id}
              node={resource}
              about={resource.meta.address ?? ''}
              onDelete={() => acts.deleteResource(resource)}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Line({
  node,
  about,
  onDelete,
}: {
  readonly node: GraphNode;
  readonly about: string;
  readonly onDelete: () => unknown;
}) {
  const isOn = node.type === 'router' ? node.meta.enabled : node.meta.enforced;
  return (
    <li>
      <div className="grow">
        <strong>{node.label}</strong>
        <p className="muted small">{about}</p>
      </div>
      <Status tone={isOn ? 'good' : 'hollow'}>{isOn ? 'in force' : 'not in force'}</Status>
      <Button size="small" onPress={onDelete}>
        Delete
      </Button>
    </li>
  );
}
