import type { Model } from '../../../topology/model';

/** A row that a change made, changed or deleted. Before and after are JSON. */
export interface Item {
  readonly kind: string;
  readonly id: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What happened to a row, in words: `made the group web`. */
function titleOf({ kind, id, before, after }: Item): string {
  const [last, next] = [rowOf(before), rowOf(after)];
  const row = { ...last, ...next };
  const verb = before === null ? 'made' : after === null ? 'deleted' : changedVerb(last, next);
  const name = row.label ?? row.name ?? id;
  return `${verb} the ${kind.replaceAll('_', ' of a ')} ${wordsOf(name) ?? ''}`;
}

/** What a change of a row is called: most changes of policies only turn them on or off, those of groups rename them. */
function changedVerb(last: Row, next: Row): string {
  const fields = Object.keys(next).filter((field) => wordsOf(last[field]) !== wordsOf(next[field]));
  const [field] = fields.length === 1 ? fields : [];
  if (field === 'label') return 'renamed';
  if (field !== 'enabled') return 'changed';
  return next.enabled === true ? 'enabled' : 'disabled';
}

/** Rows that put something into a group. */
const MEMBERS: Readonly<Record<string, 'peer' | 'resource'>> = { member: 'peer', resource_group: 'resource' };

/** Rows of a change that its title names. */
const MAX_NAMED = 10;

/** What a change did, in words: its first rows, and how many more there are. @param model names what is in the network still */
export function changeTitle(items: readonly Item[], model: Model): string {
  const nameOf = (kind: string, rowId: unknown) => {
    const item = items.find((one) => one.kind === kind && one.id === String(rowId));
    const { label, name } = { ...rowOf(item?.before ?? null), ...rowOf(item?.after ?? null) };
    return wordsOf(label ?? name ?? labelIn(model, `${kind}:${String(rowId)}`)) ?? `${kind} ${String(rowId)}`;
  };
  const titles = items.slice(0, MAX_NAMED).map((item) => {
    const kind = MEMBERS[item.kind];
    if (kind === undefined) return titleOf(item);
    const row = { ...rowOf(item.before), ...rowOf(item.after) };
    const [member, group] = [nameOf(kind, row[`${kind}_id`]), nameOf('group', row.group_id)];
    return item.after === null ? `took ${member} out of ${group}` : `put ${member} into ${group}`;
  });
  const more = items.length - titles.length;
  return titles.join(', ') + (more > 0 ? ` and ${more.toLocaleString()} more` : '');
}

/** The name of a node of the network; undefined if there is none. */
export function labelIn({ peers, resources, groupOf }: Model, nodeId: string): string | undefined {
  const node = groupOf.get(nodeId)?.node ?? [...peers, ...resources].find(({ id }) => id === nodeId);
  return node?.label;
}

/** Whether a change is no undo and was not undone. */
export function isOpen({
  undoes,
  undoneBy,
}: {
  readonly undoes: string | null;
  readonly undoneBy: string | null;
}): boolean {
  return undoes === null && undoneBy === null;
}

/** Rows that the platform manages; no change of them can be undone. Of default rows, only the creation and the deletion. */
const MANAGED = ['is_managed', 'is_infra'];

/** Why a change cannot be undone, as the end of a sentence; undefined if it can. */
export function whyIrreversible(items: readonly Item[]): string | undefined {
  const peer = items.find(({ kind, before, after }) => kind === 'peer' && (before === null || after === null));
  if (peer) return `${peer.before === null ? 'enrolled' : 'removed'} a peer, whose keys cannot be restored`;
  const isManaged = ({ kind, before, after }: Item) => {
    const marks = before === null || after === null ? [...MANAGED, 'is_default'] : MANAGED;
    return kind !== 'peer' && [rowOf(before), rowOf(after)].some((row) => marks.some((mark) => row[mark] === true));
  };
  // A change without rows to show is one of the platform.
  return items.length === 0 || items.some(isManaged) ? 'changed what the platform manages' : undefined;
}

type Row = Readonly<Record<string, unknown>>;

/** The fields of a row. */
export function rowOf(text: string | null): Row {
  return text === null ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** A value in words; undefined for none. */
export function wordsOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
