/** A row that a change made, changed or deleted. Before and after are JSON. */
interface Item {
  readonly kind: string;
  readonly id: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A field that a change changed. */
interface Difference {
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What happened to a row, in words: `made the group web`. */
export function titleOf({ kind, id, before, after }: Item): string {
  const verb = before === null ? 'made' : after === null ? 'deleted' : 'changed';
  const row = { ...rowOf(before), ...rowOf(after) };
  const name = row.label ?? row.name ?? id;
  return `${verb} the ${kind.replaceAll('_', ' of a ')} ${wordsOf(name) ?? ''}`;
}

/** The fields in which a row differs. */
export function differenceOf({ kind, id, before, after }: Item): Difference[] {
  const [last, next] = [rowOf(before), rowOf(after)];
  const fields = [...new Set([...Object.keys(last), ...Object.keys(next)])];
  return fields
    .map((field) => ({ field: `${kind} ${id} ${field}`, before: wordsOf(last[field]), after: wordsOf(next[field]) }))
    .filter((difference) => difference.before !== difference.after);
}

function rowOf(text: string | null): Readonly<Record<string, unknown>> {
  return text === null ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function wordsOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
