import { X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useArrival } from '../../../runtime/arrival';
import { lazyPart, loadCode } from '../../../runtime/code';
import { Button } from '../../../components/forms/button';
import { showError } from '../../../components/toasts';
import { Skeleton } from '../../../components/states';
import type { GroupModel, Model, PolicyModel } from '../../../topology/model';
import { movePeer, type Acts } from '../acts';
import type { Selection } from '../details';
import { draftOf, newDraft, type Draft } from '../draft';
import { Reach } from '../reach';
import { SearchField, useFound } from './search';

// Asked for with the page, so that it is there when the network is.
const canvas = loadCode(() => import('./canvas'));
canvas.catch(() => undefined); // thrown where it is drawn
const Canvas = lazy(async () => ({ default: (await canvas).Canvas }));
const loadDelete = () => loadCode(() => import('../dialogs/confirm-delete'));
const Details = lazyPart(async () => (await import('../details')).Details);

interface GraphTabProps {
  readonly model: Model;
  readonly revision: number;
  readonly acts: Acts;
  readonly onDraft: (draft: Draft) => void;
  readonly onRename: (group: GroupModel) => void;
}

const LOADING = (
  <div className="canvas">
    <Skeleton lines={8} />
  </div>
);

/** The drawing, with search, the question of reachability, and what is selected. */
export function GraphTab({ model, revision, acts, onDraft, onRename }: GraphTabProps) {
  const [way, setWay] = useState<ReadonlySet<string>>();
  const [text, setText] = useState('');
  const found = useFound(model, text);
  const idOf = (id: string) => model.groupOf.get(id)?.groupId ?? 0;
  const draw = (source: string, target: string) => onDraft(newDraft(idOf(source), idOf(target)));
  const edit = (policy: PolicyModel) => onDraft(draftOf(policy, idOf(policy.source), idOf(policy.target)));
  const { selected, source, choose, show, begin } = useChoice(model, draw);
  const select = (id: string) => choose(id, false);
  const handlers = { onRename, onEdit: edit, onSelect: select, onPolicy: begin };
  useNodeOfAddress(model, show, setText);
  return (
    <div className="graph-tab">
      <div className="graph-area card">
        <a className="skip" href="#after-graph">
          Skip the drawing
        </a>
        <SearchField text={text} onChange={setText} found={found} onSelect={select} />
        <Suspense fallback={LOADING}>
          <Canvas
            model={model}
            revision={revision}
            selected={source ?? selected.id}
            lit={way ?? found.groups}
            onSelect={select}
            onDraw={draw}
            onMove={(...move) => void movePeer(acts, model, move).catch(showError)}
            onOpen={(id) => choose(id, true)}
            onPolicy={begin}
            onDelete={async (id) => (await loadDelete()).confirmDelete(id, model, acts)}
            onCancel={() => choose('', false)}
          />
        </Suspense>
        <DrawingHint label={model.groupOf.get(source ?? '')?.node.label} onCancel={() => choose('', false)} />
        <Legend />
      </div>
      <div className="graph-side" id="after-graph" tabIndex={-1}>
        <Suspense>{selected.id !== '' && <Details {...{ model, acts, ...handlers }} selection={selected} />}</Suspense>
        <section className="panel">
          <h2>Can one reach the other?</h2>
          <Reach model={model} revision={revision} onLit={setWay} />
        </section>
      </div>
    </div>
  );
}

/** What is selected, and the group that a policy was begun from: what is chosen next is its other group. */
function useChoice(model: Model, draw: (source: string, target: string) => void) {
  const [selected, setSelected] = useState<Selection>({ id: '', isByKey: false });
  const [source, setSource] = useState<string>();
  const choose = (id: string, isByKey: boolean) => {
    if (source !== undefined && model.groupOf.has(id)) draw(source, id);
    else setSelected({ id, isByKey });
    setSource(undefined);
  };
  /** Selects what the address of the page names. */
  const show = (id: string) => {
    if (id === '') return;
    setSelected({ id, isByKey: true });
    setSource(undefined);
  };
  const begin = (id: string) => {
    if (model.groupOf.has(id)) setSource(id);
  };
  return { selected, source, choose, show, begin };
}

/** Shows the group that the address of the page names, as `?node=group:17`. A peer is searched for, and its group is shown. */
function useNodeOfAddress({ peers, groups }: Model, show: (id: string) => void, search: (text: string) => void): void {
  useArrival(() => {
    const id = new URLSearchParams(location.search).get('node') ?? '';
    const peer = peers.find((node) => node.id === id);
    if (peer) search(peer.label);
    const group = peer && groups.find((one) => one.peers.includes(peer));
    show(group?.node.id ?? id);
  });
}

interface DrawingHintProps {
  /** Name of the group that a policy was begun from. */
  readonly label: string | undefined;
  readonly onCancel: () => void;
}

/** Explains the next step of a policy that was begun. */
function DrawingHint({ label, onCancel }: DrawingHintProps) {
  return (
    <div role="status">
      {label !== undefined && (
        <div className="graph-hint">
          <span className="grow">
            Policy from <strong>{label}</strong>: choose the other group with the arrow keys and Enter, or click it.
          </span>
          <Button kind="quiet" size="small" icon={X} label="Cancel" onPress={onCancel} />
        </div>
      )}
    </div>
  );
}

function Legend() {
  return (
    <ul className="legend" aria-label="Legend">
      <li>
        <span className="legend-line in-force" /> in force on both ends
      </li>
      <li>
        <span className="legend-line pending" /> not yet on every machine
      </li>
      <li>
        <span className="legend-line drop" /> blocks
      </li>
      <li className="muted">
        Drag from the dot of a group to another group to make a policy; drag a peer to another group to move it there.
      </li>
      <li className="muted legend-keys">
        Keys: Tab and arrows move, Enter selects, O opens or closes, P draws a policy, Delete deletes.
      </li>
    </ul>
  );
}
