/** The change of one row, as recorded by PostgreSQL. */
export interface UndoItem {
  readonly kind: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

const UNDOABLE: ReadonlySet<string> = new Set([
  'group',
  'member',
  'network',
  'peer',
  'policy',
  'resource',
  'resource_group',
  'router',
]);

/** Why a change cannot be undone, as a sentence; undefined when it can. */
export function undoRefusal(items: readonly UndoItem[], tenantId: number): string | undefined {
  for (const { kind, before, after } of items) {
    if (kind === 'peer' && (before === null || after === null)) {
      const what = before === null ? 'enrolled' : 'removed';
      return `The last change cannot be undone: it ${what} a peer, and the keys of a peer cannot be restored.`;
    }
    const rows = [before, after].filter((row) => row !== null);
    const isForeign = rows.some((row) => row['tenant_id'] !== tenantId);
    if (isForeign || isManaged(kind, rows) || !UNDOABLE.has(kind)) {
      return 'The last change cannot be undone: it changed an object that the platform manages.';
    }
  }
  return undefined;
}

/** Whether the platform manages the row, of default rows only their creation and deletion. */
function isManaged(kind: string, rows: readonly Readonly<Record<string, unknown>>[]): boolean {
  const marks = ['is_managed', 'is_infra', ...(rows.length === 1 ? ['is_default'] : [])];
  return kind !== 'peer' && rows.some((row) => marks.some((mark) => row[mark] === true));
}
