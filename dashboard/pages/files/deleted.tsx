import { Trash2 } from 'lucide-react';
import { useClient } from 'urql';
import { useMe } from '../../app/me';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { confirm } from '../../components/overlays/confirm';
import { bytes, counted, Time } from '../../components/format';
import { Page } from '../../components/page';
import { Empty, ListProblem, Skeleton } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { showToast, showError } from '../../components/toasts';
import { done } from '../../graphql/done';
import { usePages } from '../../graphql/use-pages';
import { NoAddressPage } from './files';
import { DELETED, PURGE, RESTORE, type DeletedRow } from './operations';
import { filesChanged } from './uploads/upload-queue';

/** Deleted folders, which can be restored for seven days or purged now. */
export function DeletedFoldersPage() {
  const { substrateAddress } = useMe();
  if (substrateAddress === null) return <NoAddressPage />;
  return (
    <Page
      title="Deleted folders"
      above={[{ title: 'Files', to: '/files' }]}
      lead="Deleted folders can be restored for seven days. After that, or when they are purged, their files are gone."
    >
      <DeletedFolders owner={substrateAddress} />
    </Page>
  );
}

/** Folders that are loaded at once. */
const PAGE = 200;

function DeletedFolders({ owner }: { readonly owner: string }) {
  const client = useClient();
  const { rows, error, more, reload } = useDeleted(owner);
  const changed = (text: string) => {
    showToast(text);
    filesChanged();
    reload();
  };
  const restore = async ({ folderId, label }: DeletedRow) => {
    await done(client.mutation(RESTORE, { owner, id: folderId }));
    changed(`${label} is restored.`);
  };
  const purge = async ({ folderId, label, fileCount }: DeletedRow) => {
    const text = `Its ${counted(fileCount, 'file')} cannot be restored after this.`;
    if (!(await confirm({ title: `Purge ${label}?`, text, action: 'Purge the folder' }))) return;
    await done(client.mutation(PURGE, { owner, id: folderId }));
    changed(`${label} is purged.`);
  };
  return (
    <Card isFlush>
      <ListProblem error={error} hasRows={rows !== undefined} onRetry={reload} />
      {!rows && error === undefined && <Skeleton />}
      {rows && (
        <Table
          label="Deleted folders"
          columns={columnsOf(restore, (row) => void purge(row).catch(showError))}
          rows={rows}
          rowId={({ folderId }) => folderId}
          empty={
            <Empty icon={Trash2} title="No deleted folders">
              A folder that you delete stays here for seven days.
            </Empty>
          }
        />
      )}
      {more && (
        <div className="lines-end">
          <Button onPress={more}>More</Button>
        </div>
      )}
    </Card>
  );
}

/** The deleted folders of an owner. */
function useDeleted(owner: string) {
  const client = useClient();
  const load = async (after: string | null) => {
    const offset = Number(after ?? 0);
    const answer = await done(client.query(DELETED, { owner, offset }, { requestPolicy: 'network-only' }));
    const rows = answer.deletedFolders;
    return { rows, next: rows.length < PAGE ? null : String(offset + PAGE) };
  };
  return usePages<DeletedRow>(load, [client, owner]);
}

function columnsOf(
  restore: (row: DeletedRow) => Promise<void>,
  purge: (row: DeletedRow) => void,
): readonly Column<DeletedRow>[] {
  return [
    { id: 'label', title: 'Name', value: ({ label }) => label, cell: ({ label }) => label },
    {
      id: 'size',
      title: 'Size',
      isAtEnd: true,
      value: ({ totalBytes }) => Number(totalBytes),
      cell: ({ totalBytes, fileCount }) => (
        <span className="number" title={counted(fileCount, 'file')}>
          {bytes(totalBytes)}
        </span>
      ),
    },
    {
      id: 'deleted',
      title: 'Deleted',
      value: ({ deletedAt }) => deletedAt,
      cell: (row) => <Time at={row.deletedAt} />,
    },
    {
      id: 'until',
      title: 'Gone',
      value: ({ restorableUntil }) => restorableUntil,
      cell: ({ restorableUntil }) => <Time at={restorableUntil} />,
    },
    {
      id: 'actions',
      title: 'Actions',
      hidesTitle: true,
      isAtEnd: true,
      cell: (row) => (
        <span className="row end">
          <Button size="small" onPress={() => restore(row)}>
            Restore
          </Button>
          <Button size="small" onPress={() => purge(row)}>
            Purge
          </Button>
        </span>
      ),
    },
  ];
}
