import { Search } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Skeleton } from '../../components/states';
import type { Model, PolicyModel } from '../../topology/model';
import type { Acts } from './acts';
import { Details } from './details';
import { draftOf, type Draft } from './policy-dialog';
import { Reach } from './reach';

const Canvas = lazy(async () => ({ default: (await import('./canvas')).Canvas }));

interface GraphTabProps {
  readonly model: Model;
  readonly acts: Acts;
  readonly onDraft: (draft: Draft) => void;
}

/** The drawing, with search, the question of reachability, and what is selected. */
export function GraphTab({ model, acts, onDraft }: GraphTabProps) {
  const [selected, setSelected] = useState('');
  const [way, setWay] = useState<ReadonlySet<string>>();
  const [text, setText] = useState('');
  const found = useFound(model, text);
  const idOf = (id: string) => model.groupOf.get(id)?.groupId ?? 0;
  const draw = (source: string, target: string) =>
    onDraft({
      source: idOf(source),
      dest: idOf(target),
      action: 'accept',
      protocol: 'tcp',
      ports: '443',
      bidirectional: false,
    });
  const edit = (policy: PolicyModel) => onDraft(draftOf(policy, idOf(policy.source), idOf(policy.target)));
  return (
    <div className="graph-tab">
      <div className="graph-area card">
        <label className="graph-search">
          <Search className="icon" aria-hidden />
          <span className="unseen">Search the network</span>
          <input
            className="input"
            type="search"
            placeholder="Search a group, name or address"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <Suspense fallback={<Skeleton lines={8} />}>
          <Canvas model={model} selected={selected} lit={way ?? found} onSelect={setSelected} onDraw={draw} />
        </Suspense>
        <Legend />
      </div>
      <div className="graph-side">
        <Details model={model} selected={selected} acts={acts} onEdit={edit} onSelect={setSelected} />
        <section className="panel">
          <h2>Can one reach the other?</h2>
          <Reach model={model} onLit={setWay} />
        </section>
      </div>
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
      <li className="muted">Drag from the dot of a group to another group to make a policy.</li>
    </ul>
  );
}

/** The groups with a match in their name, or in the name or address of a member. */
function useFound(model: Model, text: string): ReadonlySet<string> | undefined {
  return useMemo(() => {
    const word = text.trim().toLowerCase();
    if (word === '') return undefined;
    const matches = (value: string | null) => value?.toLowerCase().includes(word) === true;
    const groups = model.groups.filter(
      ({ node, peers, resources }) =>
        matches(node.label) ||
        [...peers, ...resources].some(({ label, meta }) => matches(label) || matches(meta.ip) || matches(meta.address)),
    );
    return new Set(groups.map(({ node }) => node.id));
  }, [model, text]);
}
