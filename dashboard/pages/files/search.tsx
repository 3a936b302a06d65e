import { Search } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useClient } from 'urql';
import { useStore } from '../../runtime/store';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { counted } from '../../components/format';
import { Empty, Failure, Outdated, Skeleton } from '../../components/states';
import { done } from '../../graphql/done';
import { usePages } from '../../graphql/use-pages';
import { FileTable } from './file-table';
import { SEARCH, type FileRow } from './operations';
import { storedChanges } from './uploads/upload-queue';

const MIB = 1024 * 1024;

/** Milliseconds without a key press after which the search begins. */
const PAUSE_MS = 150;

const KINDS = ['image', 'video', 'audio', 'document', 'pdf', 'archive', 'code'] as const;

/** Sizes by the text of the filter: lowest and highest bytes. */
const SIZES: Readonly<Record<string, readonly [min: number | null, max: number | null]>> = {
  'any size': [null, null],
  'below 1 MiB': [null, MIB],
  '1 to 100 MiB': [MIB, 100 * MIB],
  'above 100 MiB': [100 * MIB, null],
};

/** Days by the text of the filter. */
const AGES: Readonly<Record<string, number | null>> = {
  'any time': null,
  'last day': 1,
  'last week': 7,
  'last month': 31,
  'last year': 366,
};

interface Filters {
  readonly q: string;
  readonly kind: string;
  readonly size: string;
  readonly age: string;
}

const NO_FILTERS: Filters = { q: '', kind: '', size: 'any size', age: 'any time' };

interface FileSearchProps {
  readonly owner: string;
  /** Shown while nothing is searched. */
  readonly children: ReactNode;
}

/** A search in all folders that runs as one types. The address of the page keeps the text. */
export function FileSearch({ owner, children }: FileSearchProps) {
  const [filters, setFilters] = useState<Filters>(() => ({ ...NO_FILTERS, ...filtersOfAddress() }));
  const change = (values: Partial<Filters>) => {
    const next = { ...filters, ...values };
    setFilters(next);
    keepInAddress(next);
  };
  const isOn = Object.entries(NO_FILTERS).some(([name, value]) => filters[name as keyof Filters] !== value);
  return (
    <>
      <div className="toolbar" role="search">
        <div className="file-search">
          <Search className="icon" aria-hidden />
          <input
            className="input"
            type="search"
            aria-label="Search all folders"
            placeholder="Search all folders"
            maxLength={256}
            value={filters.q}
            onChange={({ target }) => change({ q: target.value })}
          />
        </div>
        <Choice label="Type" value={filters.kind} options={['', ...KINDS]} onChoose={(kind) => change({ kind })} />
        <Choice label="Size" value={filters.size} options={Object.keys(SIZES)} onChoose={(size) => change({ size })} />
        <Choice label="Age" value={filters.age} options={Object.keys(AGES)} onChoose={(age) => change({ age })} />
        {isOn && <Button onPress={() => change(NO_FILTERS)}>Clear</Button>}
      </div>
      {isOn ? <Results owner={owner} filters={filters} /> : children}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <select
      className="input file-filter"
      aria-label={label}
      value={value}
      onChange={({ target }) => onChoose(target.value)}
    >
      {options.map((option) => (
        <option key={option} value={option}>
          {option === '' ? 'any type' : option}
        </option>
      ))}
    </select>
  );
}

function filtersOfAddress(): Partial<Filters> {
  const known = [...new URLSearchParams(location.search)].filter(([name]) => name in NO_FILTERS);
  return Object.fromEntries(known);
}

function keepInAddress(filters: Filters): void {
  const set = Object.entries(filters).filter(([name, value]) => value !== NO_FILTERS[name as keyof Filters]);
  const query = new URLSearchParams(set).toString();
  history.replaceState(history.state, '', query === '' ? location.pathname : `?${query}`);
}

function Results({ owner, filters }: { readonly owner: string; readonly filters: Filters }) {
  const { rows: found, total = 0, error, more, reload } = useSearch(owner, filters);
  if (!found) return error === undefined ? <Skeleton /> : <Failure error={error} onRetry={reload} />;
  return (
    <Card title={counted(total, 'file')} isFlush>
      {error !== undefined && <Outdated error={error} onRetry={reload} />}
      <FileTable
        owner={owner}
        files={found}
        showsPlace
        empty={
          <Empty icon={Search} title="No files found">
            The search looks into the names of the files in all your folders.
          </Empty>
        }
      />
      {more && (
        <Button kind="quiet" onPress={more}>
          More
        </Button>
      )}
    </Card>
  );
}

function useSearch(owner: string, { q, kind, size, age }: Filters) {
  const client = useClient();
  const changes = useStore(storedChanges);
  const load = async (after: string | null) => {
    const variables = { owner, q, after, ...boundsOf(kind, size, age) };
    const { searchFiles } = await done(client.query(SEARCH, variables, { requestPolicy: 'network-only' }));
    const { files, totalCount, endCursor, hasMore } = searchFiles;
    return { rows: files, total: totalCount, next: hasMore ? endCursor : null };
  };
  return usePages<FileRow>(load, [client, owner, q, kind, size, age, changes], PAUSE_MS);
}

function boundsOf(kind: string, size: string, age: string) {
  const [min, max] = SIZES[size] ?? [null, null];
  const days = AGES[age] ?? null;
  const from = days === null ? null : Math.floor(Date.now() / 1000) - days * 86_400;
  return { type: kind || null, min: textOf(min), max: textOf(max), from: textOf(from) };
}

function textOf(value: number | null): string | null {
  return value === null ? null : String(value);
}
