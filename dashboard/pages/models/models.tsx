import { Link } from '@tanstack/react-router';
import { Box, Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useQuery } from 'urql';
import { Badge } from '../../components/badge';
import { Card } from '../../components/card';
import { Check, SelectField, TextField } from '../../components/forms/fields';
import { bytes, counted } from '../../components/format';
import { Page } from '../../components/page';
import { loadedPage, PAGE_SIZE, Pager } from '../../components/tables/pager';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { graphql, type ResultOf } from '../../graphql/graphql';

const MODELS = graphql(`
  query (
    $q: String
    $format: String
    $architecture: String
    $quantization: String
    $mine: Boolean
    $page: Int!
    $pageSize: Int!
  ) {
    models(
      q: $q
      format: $format
      architecture: $architecture
      quantization: $quantization
      mine: $mine
      page: $page
      pageSize: $pageSize
    ) {
      total
      results {
        project
        repo
        format
        architecture
        quantization
        parameterCount
        totalSizeBytes
        isMine
        isPublic
      }
    }
  }
`);
const FORMATS = graphql('{ modelFormats { formats architectures quantizations } }');

const REGISTRY = graphql('{ modelRegistryState }');

type Model = ResultOf<typeof MODELS>['models']['results'][number];

interface Filters {
  readonly q: string;
  readonly format: string;
  readonly architecture: string;
  readonly quantization: string;
  readonly mine: boolean;
}

/** The models of the registry that the user may read, with filters. */
export function ModelsPage() {
  const [filters, setFilters] = useState<Filters>({
    q: '',
    format: '',
    architecture: '',
    quantization: '',
    mine: false,
  });
  const [page, setPage] = useState(1);
  const { q, format, architecture, quantization, mine } = useDeferredValue(filters);
  const search = {
    q: q || null,
    format: format || null,
    architecture: architecture || null,
    quantization: quantization || null,
    mine,
  };
  const variables = { ...search, page, pageSize: PAGE_SIZE };
  const query = useQuery({ query: MODELS, variables, requestPolicy: 'cache-and-network' });
  const filter = (values: Partial<Filters>) => {
    setFilters({ ...filters, ...values });
    setPage(1);
  };
  return (
    <Page title="Models" lead="Models in the registry: public ones and those of your own projects.">
      <ModelFilters filters={filters} onChange={filter} />
      <QueryView query={query}>
        {({ models: { results, total } }) => (
          <Card title={counted(total, 'model')} isFlush>
            <Table
              label="Models"
              columns={COLUMNS}
              rows={results}
              rowId={({ project, repo }) => `${project}/${repo}`}
              empty={<NoModels isFiltered={Object.values(search).some(Boolean)} />}
            />
            <Pager page={loadedPage(query, page)} total={total} onPage={setPage} />
          </Card>
        )}
      </QueryView>
    </Page>
  );
}

function NoModels({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty icon={Search} title="No models match these filters" />;
  return <EmptyRegistry />;
}

/** Why there is no model, and who can change that. */
function EmptyRegistry() {
  const [{ data }] = useQuery({ query: REGISTRY, requestPolicy: 'cache-and-network' });
  const state = data?.modelRegistryState;
  if (state === 'missing')
    return (
      <Empty icon={Box} title="No registry is configured">
        Models come from an OCI registry. To connect one, set <code>REGISTRY_URL</code> to its address and start the
        platform again.
      </Empty>
    );
  if (state === 'reading')
    return (
      <Empty icon={Box} title="The registry has not been read yet">
        Its models appear here when the platform has read it. If that takes longer than some minutes, check that the
        platform reaches the address in <code>REGISTRY_URL</code>; its log says why it does not.
      </Empty>
    );
  return (
    <Empty icon={Box} title="No models yet">
      Models appear here when they are pushed to the registry, with a tool such as oras or docker.
    </Empty>
  );
}

interface ModelFiltersProps {
  readonly filters: Filters;
  readonly onChange: (values: Partial<Filters>) => void;
}

function ModelFilters({ filters, onChange }: ModelFiltersProps) {
  const [{ data }] = useQuery({ query: FORMATS });
  const { formats = [], architectures = [], quantizations = [] } = data?.modelFormats ?? {};
  return (
    <div className="form-row" role="search" style={{ alignItems: 'end' }}>
      <TextField
        label="Name"
        type="search"
        placeholder="Search"
        value={filters.q}
        onChange={({ target }) => onChange({ q: target.value })}
      />
      <SelectField
        label="Format"
        options={withAny(formats)}
        value={filters.format}
        onChange={({ target }) => onChange({ format: target.value })}
      />
      <SelectField
        label="Architecture"
        options={withAny(architectures)}
        value={filters.architecture}
        onChange={({ target }) => onChange({ architecture: target.value })}
      />
      <SelectField
        label="Quantization"
        options={withAny(quantizations)}
        value={filters.quantization}
        onChange={({ target }) => onChange({ quantization: target.value })}
      />
      <Check
        label="Only my projects"
        checked={filters.mine}
        onChange={({ target }) => onChange({ mine: target.checked })}
      />
    </div>
  );
}

function withAny(values: readonly string[]): readonly (readonly [string, string])[] {
  return [['', 'any'], ...values.map((value) => [value, value] as const)];
}

/** A number of parameters as people say it: 7B, 350M. */
export function parameters(count: number | string | null): string {
  if (count === null) return '–';
  return Number(count).toLocaleString(undefined, { notation: 'compact', maximumFractionDigits: 1 });
}

const COLUMNS: readonly Column<Model>[] = [
  {
    id: 'name',
    title: 'Name',
    value: ({ project, repo }) => `${project}/${repo}`,
    cell: ({ project, repo, isMine }) => (
      <span className="row">
        <Link to="/models/$project/$" params={{ project, _splat: repo }}>
          {project}/{repo}
        </Link>
        {isMine && <Badge tone="info">yours</Badge>}
      </span>
    ),
  },
  { id: 'format', title: 'Format', value: ({ format }) => format ?? '', cell: ({ format }) => format ?? '–' },
  {
    id: 'architecture',
    title: 'Architecture',
    value: ({ architecture }) => architecture ?? '',
    cell: ({ architecture }) => architecture ?? '–',
  },
  {
    id: 'quantization',
    title: 'Quantization',
    value: ({ quantization }) => quantization ?? '',
    cell: ({ quantization }) => quantization ?? '–',
  },
  {
    id: 'parameters',
    title: 'Parameters',
    isAtEnd: true,
    value: ({ parameterCount }) => Number(parameterCount ?? 0),
    cell: ({ parameterCount }) => <span className="number">{parameters(parameterCount)}</span>,
  },
  {
    id: 'size',
    title: 'Size',
    isAtEnd: true,
    value: ({ totalSizeBytes }) => Number(totalSizeBytes),
    cell: ({ totalSizeBytes }) => <span className="number">{bytes(totalSizeBytes)}</span>,
  },
];
