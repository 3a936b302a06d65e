import {
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useMemo, useRef, type ReactNode } from 'react';

/** A column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** What the column is sorted by; without it the column cannot be sorted. */
  readonly value?: (row: Row) => string | number;
  readonly cell: (row: Row) => ReactNode;
  /** Hides the title from the eye above buttons and links; as the last column they stay in sight on a phone. */
  readonly hidesTitle?: boolean;
  /** Puts numbers and buttons at the right side. */
  readonly isAtEnd?: boolean;
}

interface TableProps<Row> {
  /** Describes the table to screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** Shown without rows. */
  readonly empty: ReactNode;
}

const ROW_HEIGHT = 41;

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
});

/** A table that is sorted by its headers and draws only the rows in view. */
export function Table<Row extends object>({ label, columns, rows, rowId, empty }: TableProps<Row>) {
  const scroll = useRef<HTMLDivElement>(null);
  const definitions = useMemo(() => columns.map((column) => definitionOf<Row>(column)), [columns]);
  const table = useTable({ features, columns: definitions, data: rows, getRowId: rowId });
  const sorted = table.getRowModel().rows;
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  if (rows.length === 0) return <>{empty}</>;
  const items = virtual.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    // Keyboards scroll it.
    <div className="table-scroll" ref={scroll} role="region" aria-label={label} tabIndex={0}>
      <table className="table" aria-label={label} aria-rowcount={sorted.length}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} {...sortingOf(table.getColumn(column.id))} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={above} columns={columns.length} />
          {items.map(({ index }) => {
            const row = sorted[index];
            return row && <BodyRow key={row.id} row={row.original} columns={columns} />;
          })}
          <Gap height={below} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

function definitionOf<Row extends object>({ id, value }: Column<Row>): ColumnDef<typeof features, Row> {
  return { id, accessorFn: (row) => value?.(row) ?? '', enableSorting: value !== undefined };
}

interface Sorting {
  readonly direction: 'asc' | 'desc' | false;
  readonly toggle: () => void;
}

interface SortableColumn {
  getIsSorted(): 'asc' | 'desc' | false;
  toggleSorting(): void;
}

function sortingOf(column: SortableColumn | undefined): Sorting {
  return { direction: column?.getIsSorted() ?? false, toggle: () => column?.toggleSorting() };
}

function HeaderCell<Row>({ column, direction, toggle }: { readonly column: Column<Row> } & Sorting) {
  const { title, value, hidesTitle = false } = column;
  const Arrow = direction === 'desc' ? ArrowDown : ArrowUp;
  const order = { asc: 'ascending', desc: 'descending' } as const;
  return (
    <th scope="col" className={classOf(column)} aria-sort={direction === false ? undefined : order[direction]}>
      {value ? (
        <button type="button" onClick={toggle}>
          {title} {direction !== false && <Arrow size={12} aria-hidden />}
        </button>
      ) : (
        <span className={hidesTitle ? 'unseen' : undefined}>{title}</span>
      )}
    </th>
  );
}

function classOf<Row>({ isAtEnd = false, hidesTitle = false }: Column<Row>): string | undefined {
  return [isAtEnd && 'end', hidesTitle && 'untitled'].filter(Boolean).join(' ') || undefined;
}

function BodyRow<Row>({ row, columns }: { readonly row: Row; readonly columns: readonly Column<Row>[] }) {
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.id} className={classOf(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

function Gap({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}
