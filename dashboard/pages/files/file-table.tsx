import { Link } from '@tanstack/react-router';
import { Download, Ellipsis, File as FileIcon, Folder as FolderIcon, Pencil, Trash2 } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { Dialog } from '../../components/overlays/dialog';
import { TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { bytes, counted, Time } from '../../components/format';
import { Menu } from '../../components/overlays/menu';
import { Table, type Column } from '../../components/tables/table';
import { showError } from '../../components/toasts';
import { useOptimistic } from '../../graphql/optimistic';
import { rename, useFileActions, type FileActions } from './file-actions';
import { nameOf, type FileRow, type Listing } from './operations';
import { unlocked } from './vault/phrase';

type DirectoryRow = Listing['folders'][number];

/** A file, and whether its new name is shown before the server has given it. */
interface ShownFile extends FileRow {
  readonly isRenamed?: boolean;
}

/** A line of a listing: a directory or a file. */
type Entry =
  | { readonly kind: 'directory'; readonly name: string; readonly path: string; readonly row: DirectoryRow }
  | { readonly kind: 'file'; readonly name: string; readonly path: string; readonly row: ShownFile };

interface FileTableProps {
  readonly owner: string;
  readonly folderHash?: string;
  /** The directory that is listed. */
  readonly directory?: string;
  readonly directories?: readonly DirectoryRow[];
  readonly files: readonly FileRow[];
  readonly empty: ReactNode;
  /** Shows where files are, in results of a search. */
  readonly showsPlace?: boolean;
}

/** Directories and files with what can be done with them. */
export function FileTable(props: FileTableProps) {
  const { owner, files, directories, directory = '', folderHash = '', empty, showsPlace = false } = props;
  const actions = useFileActions(owner);
  const [renamed, setRenamed] = useState<Renamed>();
  const [shown, showAtOnce] = useOptimistic<readonly ShownFile[]>(files);
  const rows = useMemo(() => entriesOf(directories ?? [], shown, directory), [directories, shown, directory]);
  const give = async (file: FileRow, path: string) => {
    const access = await unlocked(owner);
    setRenamed(undefined);
    const leaves = directories !== undefined && path.split('/').slice(0, -1).join('/') !== directory;
    const named = { ...file, relativePath: path, isRenamed: true };
    const change = (all: readonly ShownFile[]) =>
      all.flatMap((one) => (one.fileId === file.fileId ? (leaves ? [] : [named]) : [one]));
    showAtOnce(change, () => rename(access, file, path)).catch((error: unknown) => {
      showError(error);
      setRenamed((open) => open ?? { file, path });
    });
  };
  const startRename = (file: FileRow) => setRenamed({ file, path: file.relativePath ?? nameOf(file) });
  const columns = columnsOf({ ...actions, startRename }, folderHash, showsPlace);
  return (
    <>
      <Table label="Files" columns={columns} rows={rows} rowId={entryId} empty={empty} />
      {renamed && <RenameDialog {...renamed} onRename={give} onClose={() => setRenamed(undefined)} />}
    </>
  );
}

function entriesOf(directories: readonly DirectoryRow[], files: readonly ShownFile[], directory: string): Entry[] {
  const above = directory === '' ? '' : `${directory}/`;
  return [
    ...directories.map((row) => ({ kind: 'directory' as const, name: row.name, path: above + row.name, row })),
    ...files.map((row) => ({ kind: 'file' as const, name: nameOf(row), path: row.relativePath ?? nameOf(row), row })),
  ];
}

function entryId(entry: Entry): string {
  return entry.kind === 'file' ? `${entry.row.folderHash} ${entry.row.fileId}` : `directory ${entry.name}`;
}

interface RowActions extends FileActions {
  readonly startRename: (file: FileRow) => void;
}

function columnsOf(actions: RowActions, folderHash: string, showsPlace: boolean): readonly Column<Entry>[] {
  const place: Column<Entry> = {
    id: 'place',
    title: 'Folder',
    value: ({ row }) => ('folderLabel' in row ? row.folderLabel : ''),
    cell: ({ row, path }) =>
      'folderLabel' in row && (
        <span className="muted truncate">{[row.folderLabel, ...path.split('/').slice(0, -1)].join(' / ')}</span>
      ),
  };
  return [
    {
      id: 'name',
      title: 'Name',
      value: ({ name }) => name,
      cell: (entry) => <NameCell entry={entry} folderHash={folderHash} onOpen={actions.download} />,
    },
    ...(showsPlace ? [place] : []),
    { id: 'size', title: 'Size', isAtEnd: true, value: sizeOf, cell: (entry) => <SizeCell entry={entry} /> },
    {
      id: 'changed',
      title: 'Changed',
      value: (entry) => (entry.kind === 'file' ? entry.row.updatedAt : 0),
      cell: (entry) => entry.kind === 'file' && <Time at={new Date(entry.row.updatedAt * 1000).toISOString()} />,
    },
    {
      id: 'actions',
      title: 'Actions',
      hidesTitle: true,
      isAtEnd: true,
      cell: (entry) => entry.kind === 'file' && !entry.row.isRenamed && <FileMenu file={entry.row} actions={actions} />,
    },
  ];
}

function sizeOf({ row }: Entry): number {
  return Number('sizeBytes' in row ? row.sizeBytes : row.totalBytes);
}

function SizeCell({ entry }: { readonly entry: Entry }) {
  const size = <span className="number">{bytes(sizeOf(entry))}</span>;
  if (entry.kind === 'file') return size;
  return <span title={counted(entry.row.fileCount, 'file')}>{size}</span>;
}

interface NameCellProps {
  readonly entry: Entry;
  readonly folderHash: string;
  readonly onOpen: (file: FileRow) => unknown;
}

function NameCell({ entry, folderHash, onOpen }: NameCellProps) {
  if (entry.kind === 'directory')
    return (
      <Link className="file-name" to="/files/$folder/$" params={{ folder: folderHash, _splat: entry.path }}>
        <FolderIcon className="icon" aria-hidden />
        {entry.name}
      </Link>
    );
  return (
    <button
      type="button"
      className="file-name"
      title={`Download ${entry.path}`}
      disabled={entry.row.isRenamed}
      onClick={() => onOpen(entry.row)}
    >
      <FileIcon className="icon" aria-hidden />
      {entry.name}
    </button>
  );
}

function FileMenu({ file, actions }: { readonly file: FileRow; readonly actions: RowActions }) {
  const remove = () => actions.remove([file]).catch(showError);
  return (
    <Menu
      trigger={
        <button type="button" className="button quiet small icon-only" aria-label={`Actions on ${nameOf(file)}`}>
          <Ellipsis className="icon" aria-hidden />
        </button>
      }
      items={[
        { label: 'Download', icon: Download, run: () => actions.download(file) },
        { label: 'Rename or move', icon: Pencil, run: () => actions.startRename(file) },
        { label: 'Delete', icon: Trash2, isDangerous: true, isApart: true, run: remove },
      ]}
    />
  );
}

/** A file that is being renamed, and what to begin with. */
interface Renamed {
  readonly file: FileRow;
  readonly path: string;
}

interface RenameDialogProps extends Renamed {
  readonly onRename: (file: FileRow, path: string) => Promise<void>;
  readonly onClose: () => void;
}

function RenameDialog({ file, path: start, onRename, onClose }: RenameDialogProps) {
  const [path, setPath] = useState(start);
  return (
    <Dialog title="Rename or move" isOpen onClose={onClose}>
      <Form submit="Rename" label="Rename" onSubmit={() => onRename(file, path)} onCancel={onClose}>
        <TextField
          label="Path in the folder"
          hint="Slashes separate directories, e.g. photos/2026/beach.jpg."
          required
          value={path}
          onChange={(event) => setPath(event.target.value)}
        />
      </Form>
    </Dialog>
  );
}
