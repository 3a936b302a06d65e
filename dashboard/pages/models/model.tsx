import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { Card, DescriptionList } from '../../components/card';
import { CopyLine } from '../../components/forms/copy';
import { SelectField } from '../../components/forms/fields';
import { bytes, Time } from '../../components/format';
import { Page } from '../../components/page';
import { loadedPage, PAGE_SIZE, Pager } from '../../components/tables/pager';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { parameters } from './models';

const VERSIONS = graphql(`
  query ($project: String!, $repo: String!, $page: Int!, $pageSize: Int!) {
    modelVersions(project: $project, repo: $repo, page: $page, pageSize: $pageSize) {
      total
      artifacts {
        digest
        primaryTag
        indexedAt
      }
    }
  }
`);
const VERSION = graphql(`
  query ($project: String!, $repo: String!, $reference: String!) {
    modelVersion(project: $project, repo: $repo, reference: $reference) {
      digest
      allTags
      format
      architecture
      quantization
      parameterCount
      totalSizeBytes
      indexedAt
      pullCommand
      files {
        filename
        format
        sizeBytes
      }
    }
  }
`);

type Artifact = ResultOf<typeof VERSIONS>['modelVersions']['artifacts'][number];
type ModelFile = ResultOf<typeof VERSION>['modelVersion']['files'][number];

/** A model: its versions, their files, and the command that downloads them. */
export function ModelPage() {
  const { project = '', _splat: repo = '' } = useParams({ strict: false });
  const [page, setPage] = useState(1);
  const query = useQuery({
    query: VERSIONS,
    variables: { project, repo, page, pageSize: PAGE_SIZE },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Page title={`${project}/${repo}`} above={[{ title: 'Models', to: '/models' }]}>
      <QueryView query={query}>
        {({ modelVersions: { artifacts, total } }) => (
          <Versions project={project} repo={repo} artifacts={artifacts}>
            <Pager page={loadedPage(query, page)} total={total} onPage={setPage} />
          </Versions>
        )}
      </QueryView>
    </Page>
  );
}

interface VersionsProps {
  readonly project: string;
  readonly repo: string;
  readonly artifacts: readonly Artifact[];
  /** The way to other versions. */
  readonly children: ReactNode;
}

function Versions({ project, repo, artifacts, children }: VersionsProps) {
  const [chosen, setChosen] = useState('');
  const digest = (artifacts.find((one) => one.digest === chosen) ?? artifacts[0])?.digest;
  if (digest === undefined) return <Empty title="This model no longer has any versions" />;
  return (
    <>
      <SelectField
        label="Version"
        options={artifacts.map((one) => [one.digest, one.primaryTag ?? one.digest.slice(0, 19)])}
        value={digest}
        onChange={({ target }) => setChosen(target.value)}
      />
      {children}
      <Version project={project} repo={repo} reference={digest} />
    </>
  );
}

function Version(variables: { readonly project: string; readonly repo: string; readonly reference: string }) {
  const query = useQuery({ query: VERSION, variables });
  return (
    <QueryView query={query}>
      {({ modelVersion: version }) => (
        <>
          <Card title="Download">
            <CopyLine text={version.pullCommand} label="Copy the command" />
          </Card>
          <Card title="Version">
            <DescriptionList
              items={[
                ['Tags', version.allTags.join(', ') || 'none'],
                ['Digest', <code key="digest">{version.digest}</code>],
                ['Format', version.format ?? 'unknown'],
                ['Architecture', version.architecture ?? 'unknown'],
                ['Quantization', version.quantization ?? 'unknown'],
                ['Parameters', parameters(version.parameterCount)],
                ['Size', bytes(version.totalSizeBytes)],
                ['Indexed', <Time key="indexed" at={version.indexedAt} />],
              ]}
            />
          </Card>
          <Card title="Files" isFlush>
            <Table
              label="Files"
              columns={FILE_COLUMNS}
              rows={version.files}
              rowId={({ filename }) => filename}
              empty={<Empty title="No file" />}
            />
          </Card>
        </>
      )}
    </QueryView>
  );
}

const FILE_COLUMNS: readonly Column<ModelFile>[] = [
  { id: 'name', title: 'Name', value: ({ filename }) => filename, cell: ({ filename }) => filename },
  { id: 'format', title: 'Format', value: ({ format }) => format ?? '', cell: ({ format }) => format ?? '–' },
  {
    id: 'size',
    title: 'Size',
    isAtEnd: true,
    value: ({ sizeBytes }) => Number(sizeBytes),
    cell: ({ sizeBytes }) => <span className="number">{bytes(sizeBytes)}</span>,
  },
];
