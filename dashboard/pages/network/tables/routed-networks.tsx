import { Plus, Router, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { Badge, Status } from '../../../components/badge';
import { Button } from '../../../components/forms/button';
import { Card } from '../../../components/card';
import { QueryView } from '../../../components/query-view';
import { Empty } from '../../../components/states';
import type { GraphNode } from '../../../topology/graph';
import type { Model } from '../../../topology/model';
import type { Acts } from '../acts';
import { NETWORKS } from '../operations';
import { DeleteNetworkDialog, ResourceDialog } from '../dialogs/resource-dialog';
import { AddDialog, type Addition } from '../dialogs/routed-dialogs';
import type { RoutedNetwork } from './use-routed-plan';

/** What dialog is open. */
type Open =
  | Addition
  | { readonly kind: 'change'; readonly resource: GraphNode }
  | { readonly kind: 'delete'; readonly network: RoutedNetwork };

interface RoutedNetworksProps {
  readonly model: Model;
  readonly revision: number;
  readonly acts: Acts;
}

/** Networks behind routers: what is in them and which peers lead there. */
export function RoutedNetworks({ model, revision, acts }: RoutedNetworksProps) {
  const query = useQuery({ query: NETWORKS, requestPolicy: 'cache-and-network' });
  const [, reload] = query;
  const [open, setOpen] = useState<Open>();
  useEffect(() => reload({ requestPolicy: 'network-only' }), [revision, reload]);
  const close = () => setOpen(undefined);
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
          <>
            <div className="columns">
              {networks.map((network) => (
                <NetworkCard key={network.id} network={network} model={model} acts={acts} onOpen={setOpen} />
              ))}
            </div>
            {open && <OpenDialog open={open} {...{ networks, model, revision, acts }} onClose={close} />}
          </>
        )}
      </QueryView>
    </div>
  );
}

interface OpenDialogProps extends RoutedNetworksProps {
  readonly open: Open;
  readonly networks: readonly RoutedNetwork[];
  readonly onClose: () => void;
}

function OpenDialog({ open, networks, ...rest }: OpenDialogProps) {
  if (open.kind === 'change') return <ResourceDialog resource={open.resource} networks={networks} {...rest} />;
  if (open.kind === 'delete') return <DeleteNetworkDialog network={open.network} networks={networks} {...rest} />;
  return <AddDialog addition={open} {...rest} />;
}

interface NetworkCardProps extends Omit<RoutedNetworksProps, 'revision'> {
  readonly network: RoutedNetwork;
  readonly onOpen: (open: Open) => void;
}

function NetworkCard({ network, model, acts, onOpen }: NetworkCardProps) {
  const own = ({ meta }: GraphNode) => meta.networkId === network.id;
  const resources = model.resources.filter(own);
  const routers = model.routers.filter(own);
  return (
    <Card
      title={
        <span className="row">
          {network.name} {network.isDefault && <Badge>default</Badge>}
        </span>
      }
      isFlush
      actions={<NetworkActions network={network} onOpen={onOpen} />}
    >
      {resources.length + routers.length === 0 ? (
        <Empty icon={Router} title="This network is empty">
          Add a router, which is one of your peers, and the addresses behind it.
        </Empty>
      ) : (
        <ul className="lines">
          {routers.map((router) => (
            <Line
              key={router.id}
              node={router}
              isInForce={router.meta.enabled === true}
              about={routerWords(router)}
              onDelete={() => acts.deleteRouter(router)}
            />
          ))}
          {resources.map((resource) => (
            <Line
              key={resource.id}
              node={resource}
              isInForce={resource.meta.enforced === true && routers.some(({ meta }) => meta.enabled === true)}
              about={resource.meta.address ?? ''}
              onChange={() => onOpen({ kind: 'change', resource })}
              onDelete={() => acts.deleteResource(resource)}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

function routerWords({ meta: { metric, masquerade, enabled } }: GraphNode): string {
  const way = masquerade === false ? 'keeps the addresses of peers' : 'masquerades';
  return [`router, metric ${metric ?? ''}`, way, ...(enabled === false ? ['disabled'] : [])].join(', ');
}

function NetworkActions({ network, onOpen }: Pick<NetworkCardProps, 'network' | 'onOpen'>) {
  const { id, name, isDefault } = network;
  return (
    <>
      <Button size="small" onPress={() => onOpen({ kind: 'router', networkId: id })}>
        Add a router
      </Button>
      <Button size="small" onPress={() => onOpen({ kind: 'resource', networkId: id })}>
        Add a resource
      </Button>
      {!isDefault && (
        <Button
          size="small"
          label={`Delete the network ${name}`}
          icon={Trash2}
          onPress={() => onOpen({ kind: 'delete', network })}
        />
      )}
    </>
  );
}

interface LineProps {
  readonly node: GraphNode;
  readonly about: string;
  readonly isInForce: boolean;
  readonly onChange?: () => unknown;
  readonly onDelete: () => unknown;
}

function Line({ node, about, isInForce, onChange, onDelete }: LineProps) {
  return (
    <li>
      <div className="grow">
        <strong>{node.label}</strong>
        <p className="muted small">{about}</p>
      </div>
      <Status tone={isInForce ? 'good' : 'hollow'}>{isInForce ? 'in force' : 'not in force'}</Status>
      {onChange && (
        <Button size="small" onPress={onChange}>
          Change
        </Button>
      )}
      <Button size="small" onPress={onDelete}>
        Delete
      </Button>
    </li>
  );
}
