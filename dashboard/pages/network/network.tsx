import { Network as NetworkIcon, Plus, Share2 } from 'lucide-react';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useClient } from 'urql';
import { lazyPart } from '../../runtime/code';
import { useCommands } from '../../app/palette/commands';
import { Button } from '../../components/forms/button';
import { counted } from '../../components/format';
import { showError } from '../../components/toasts';
import { Page } from '../../components/page';
import { Empty, Failure, Skeleton } from '../../components/states';
import { Tabs } from '../../components/tables/tabs';
import { done } from '../../graphql/done';
import type { Graph } from '../../topology/graph';
import { modelOf, type GroupModel, type Model } from '../../topology/model';
import { useTopology } from '../../topology/use-topology';
import { useActs, type Acts } from './acts';
import { ConfirmPlan } from './dialogs/confirm-plan';
import { newDraft, type Draft } from './draft';
import { GraphTab } from './graph/graph-tab';
import { PROVISION } from './operations';
import { UndoButton } from './history/undo-button';
import './network.css';

// What the first picture does not show is loaded when it is opened.
const EnrollDialog = lazyPart(async () => (await import('./dialogs/enroll-dialog')).EnrollDialog);
const GroupDialog = lazyPart(async () => (await import('./dialogs/group-dialog')).GroupDialog);
const PolicyDialog = lazyPart(async () => (await import('./dialogs/policy-dialog')).PolicyDialog);
const PeersView = lazyPart(async () => (await import('./tables/peers-table')).PeersView);
const PoliciesTable = lazyPart(async () => (await import('./tables/policies-table')).PoliciesTable);
const RoutedNetworks = lazyPart(async () => (await import('./tables/routed-networks')).RoutedNetworks);
const History = lazyPart(async () => (await import('./history/history')).History);

/** The private network: a graph of groups and policies, live, with tables beside it. */
export function NetworkPage() {
  const { topology, restart } = useTopology();
  if (topology.state === 'live') return <LiveNetwork graph={topology.graph} />;
  return (
    <Page title="Network">
      {topology.state === 'loading' && <Skeleton lines={6} />}
      {topology.state === 'missing' && <Provision onDone={restart} />}
      {topology.state === 'failed' && <Failure error={topology.error} onRetry={restart} />}
    </Page>
  );
}

function Provision({ onDone }: { readonly onDone: () => void }) {
  const client = useClient();
  const provision = async () => {
    await done(client.mutation(PROVISION, {}));
    onDone();
  };
  return (
    <Empty
      icon={NetworkIcon}
      title="You have no private network yet"
      action={
        <Button kind="primary" onPress={provision}>
          Create a private network
        </Button>
      }
    >
      Your machines reach each other by addresses of their own, encrypted, wherever they are. You decide by groups and
      policies who reaches whom. It begins with one group whose machines reach each other.
    </Empty>
  );
}

/** What dialog is open. */
type Open =
  | { readonly kind: 'enroll' }
  | { readonly kind: 'group'; readonly group?: GroupModel }
  | { readonly kind: 'policy'; readonly draft: Draft };

const DIALOGS = { enroll: EnrollDialog, group: GroupDialog, policy: PolicyDialog };

function LiveNetwork({ graph }: { readonly graph: Graph }) {
  const model = useModel(graph);
  const { revision } = graph;
  const acts = useActs();
  const { open, show, close } = useDialog();
  useNetworkCommands(model, show);
  const edit = (draft: Draft) => show({ kind: 'policy', draft });
  const rename = (group: GroupModel) => show({ kind: 'group', group });
  const tabs = [
    {
      id: 'graph',
      title: 'Graph',
      content: <GraphTab {...{ model, revision, acts }} onDraft={edit} onRename={rename} />,
    },
    { id: 'peers', title: `Peers ${model.peers.length}`, content: later(<PeersView {...{ model, revision, acts }} />) },
    {
      id: 'policies',
      title: `Policies ${model.policies.length}`,
      content: later(<PoliciesTable model={model} acts={acts} onDraft={edit} />),
    },
    { id: 'networks', title: 'Routed networks', content: later(<RoutedNetworks {...{ model, revision, acts }} />) },
    { id: 'history', title: 'History', content: later(<History model={model} revision={revision} />) },
  ];
  return (
    <Page
      title="Network"
      lead={`${counted(model.groups.length, 'group')}, ${counted(model.peers.length, 'peer')}, ${counted(model.policies.length, 'policy', 'policies')} · revision ${revision}`}
      isWide
      actions={
        <>
          <UndoButton {...{ model, revision, acts }} />
          <Button icon={Plus} onPress={() => show({ kind: 'group' })}>
            New group
          </Button>
          <Button icon={Share2} onPress={() => edit(firstDraft(model))}>
            New policy
          </Button>
          <Button kind="primary" icon={Plus} onPress={() => show({ kind: 'enroll' })}>
            Add a machine
          </Button>
        </>
      }
    >
      <Tabs label="Views of the network" tabs={tabs} />
      <OpenDialog {...{ open, model, revision, acts }} onClose={close} />
      <ConfirmPlan model={model} revision={revision} />
    </Page>
  );
}

interface OpenDialogProps {
  readonly open: Open | undefined;
  readonly model: Model;
  readonly revision: number;
  readonly acts: Acts;
  readonly onClose: () => void;
}

function OpenDialog({ open, model, revision, acts, onClose }: OpenDialogProps) {
  return (
    <Suspense>
      {open?.kind === 'enroll' && <EnrollDialog {...{ model, onClose }} />}
      {open?.kind === 'group' && <GroupDialog {...{ acts, onClose }} group={open.group} />}
      {open?.kind === 'policy' && <PolicyDialog {...{ model, revision, acts, onClose }} draft={open.draft} />}
    </Suspense>
  );
}

/** The dialog that is open; `show` opens one as soon as its code is loaded. */
function useDialog() {
  const [open, setOpen] = useState<Open>();
  const show = useCallback((dialog: Open) => {
    void DIALOGS[dialog.kind].load().then(() => setOpen(dialog), showError);
  }, []);
  return { open, show, close: () => setOpen(undefined) };
}

/** A view whose code is loaded when it is opened. */
function later(view: ReactNode): ReactNode {
  return <Suspense fallback={<Skeleton lines={6} />}>{view}</Suspense>;
}

/** The model of the present graph; what did not change stays the same. */
function useModel(graph: Graph): Model {
  const last = useRef<Model>(undefined);
  const model = useMemo(() => modelOf(graph, last.current), [graph.nodes, graph.edges]);
  useEffect(() => {
    last.current = model;
  }, [model]);
  return model;
}

/** A policy from the first group to the last, to begin with. */
function firstDraft({ groups }: Model): Draft {
  return newDraft(groups[0]?.groupId ?? 0, groups.at(-1)?.groupId ?? 0);
}

function useNetworkCommands(model: Model, show: (open: Open) => void): void {
  const latest = useRef(model);
  latest.current = model;
  const commands = useMemo(
    () => [
      { title: 'Add a machine', group: 'Network', icon: Plus, run: () => show({ kind: 'enroll' }) },
      { title: 'New group', group: 'Network', icon: Plus, run: () => show({ kind: 'group' }) },
      {
        title: 'New policy',
        group: 'Network',
        icon: Share2,
        run: () => show({ kind: 'policy', draft: firstDraft(latest.current) }),
      },
    ],
    [show],
  );
  useCommands(commands);
}
