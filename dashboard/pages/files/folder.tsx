import { useNavigate, useParams } from '@tanstack/react-router';
import { FolderX, Lock, LockOpen, Upload } from 'lucide-react';
import { useRef } from 'react';
import { useClient, useQuery } from 'urql';
import { useMe } from '../../app/me';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { confirm } from '../../components/overlays/confirm';
import { counted } from '../../components/format';
import { Page, type Crumb } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { Empty, ListProblem, Skeleton } from '../../components/states';
import { showToast, showError } from '../../components/toasts';
import { done } from '../../graphql/done';
import { chosenFiles, droppedFiles } from './uploads/dropped';
import { useFileDrop } from './uploads/file-drop';
import { DownloadPanel } from './downloads/download-panel';
import { FileTable } from './file-table';
import './files.css';
import { NoAddressPage } from './files';
import { OVERVIEW, UNREGISTER, type FolderRow } from './operations';
import { lock, PhraseDialog, requestPhrase, usePhrase } from './vault/phrase';
import { useStoredChanges } from './stored-changes';
import { UnfinishedPanel } from './uploads/unfinished-panel';
import { uploadInto } from './uploads/upload-into';
import { MAX_ROWS, useListing } from './use-listing';
import type { PathedFile } from './uploads/upload-queue';
import { UploadPanel } from './uploads/upload-panel';

/** A folder, or a directory in it: its files, and uploads into it. */
export function FolderPage() {
  const { substrateAddress: owner } = useMe();
  const { folder = '', _splat: path = '' } = useParams({ strict: false });
  const query = useQuery({
    query: OVERVIEW,
    variables: { owner: owner ?? '' },
    pause: owner === null,
    requestPolicy: 'cache-and-network',
  });
  useStoredChanges(query[1]);
  if (owner === null) return <NoAddressPage />;
  const isLoading = query[0].stale || query[0].fetching;
  const found = query[0].data?.folders.folders.find(({ folderHash }) => folderHash === folder);
  const view = (
    <QueryView query={query}>
      {() => {
        if (found) return <Directory owner={owner} folder={found} path={path.replace(/\/$/, '')} />;
        return isLoading ? <Skeleton /> : <NoFolder />;
      }}
    </QueryView>
  );
  if (found) return view;
  const isMissing = query[0].data !== undefined && !isLoading;
  return (
    <Page title={isMissing ? 'Folder not found' : 'Folder'} above={[{ title: 'Files', to: '/files' }]}>
      {view}
    </Page>
  );
}

function NoFolder() {
  return (
    <Empty icon={FolderX} title="This folder does not exist">
      It may have been deleted. Deleted folders can be restored for seven days.
    </Empty>
  );
}

interface DirectoryProps {
  readonly owner: string;
  readonly folder: FolderRow;
  readonly path: string;
}

function Directory({ owner, folder, path }: DirectoryProps) {
  const { listing, error, reload } = useListing(owner, folder.folderHash, path);
  const upload = (files: readonly PathedFile[]) => uploadInto(owner, folder.label, files);
  const parts = path === '' ? [] : path.split('/');
  const isOver = useFileDrop((transfer) => droppedFiles(transfer, path).then(upload).catch(showError));
  return (
    <Page
      title={parts.at(-1) ?? folder.label}
      above={crumbsOf(folder, parts)}
      lead={`${counted(folder.fileCount, 'file')} in this folder. Drop files or directories anywhere here to upload them.`}
      actions={<FolderActions owner={owner} folder={folder} path={path} onUpload={upload} />}
    >
      <div className={isOver ? 'drop-area over' : 'drop-area'}>
        <UploadPanel />
        <DownloadPanel />
        <UnfinishedPanel owner={owner} folder={folder} onContinue={upload} />
        <Card title={parts.length === 0 ? 'Files' : path} isFlush>
          <ListProblem error={error} hasRows={listing !== undefined} onRetry={reload} />
          {!listing && error === undefined && <Skeleton />}
          {listing && (
            <FileTable
              owner={owner}
              folderHash={folder.folderHash}
              directory={path}
              directories={listing.folders}
              files={listing.files}
              empty={
                <Empty icon={Upload} title="This folder is empty">
                  Drop files here, or press Upload. They are encrypted with your phrase before they leave this browser.
                </Empty>
              }
            />
          )}
          {listing?.isCut === true && (
            <p className="lines-end muted">
              {`The first ${MAX_ROWS.toLocaleString()} entries are shown. The search on the page Files finds the others.`}
            </p>
          )}
        </Card>
      </div>
      <PhraseDialog />
    </Page>
  );
}

function crumbsOf({ folderHash, label }: FolderRow, parts: readonly string[]): readonly Crumb[] {
  const root = { title: 'Files', to: '/files' };
  if (parts.length === 0) return [root];
  const crumb = (title: string, depth: number) => {
    const params = { folder: folderHash, _splat: parts.slice(0, depth).join('/') };
    return { title, to: '/files/$folder/$', params };
  };
  return [root, crumb(label, 0), ...parts.slice(0, -1).map((title, index) => crumb(title, index + 1))];
}

interface FolderActionsProps extends DirectoryProps {
  readonly onUpload: (files: readonly PathedFile[]) => Promise<void>;
}

function FolderActions({ owner, folder, path, onUpload }: FolderActionsProps) {
  const input = useRef<HTMLInputElement>(null);
  const client = useClient();
  const navigate = useNavigate();
  const isOpen = usePhrase(owner) !== undefined;
  const remove = async () => {
    const text = `Its ${counted(folder.fileCount, 'file')} can be restored for seven days.`;
    if (!(await confirm({ title: `Delete ${folder.label}?`, text, action: 'Delete the folder' }))) return;
    await done(client.mutation(UNREGISTER, { owner, hash: folder.folderHash }));
    await navigate({ to: '/files' });
    showToast(`${folder.label} is deleted.`, { label: 'Restore', run: () => navigate({ to: '/files/deleted' }) });
  };
  return (
    <>
      <Button
        kind="quiet"
        icon={isOpen ? LockOpen : Lock}
        onPress={() => (isOpen ? confirmForget(owner) : requestPhrase(owner))}
      >
        {isOpen ? 'Forget the phrase' : 'Enter the phrase'}
      </Button>
      <Button onPress={remove}>Delete</Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={({ target }) => {
          onUpload(chosenFiles(target.files, path)).catch(showError);
          target.value = '';
        }}
      />
      <Button kind="primary" icon={Upload} onPress={() => input.current?.click()}>
        Upload
      </Button>
    </>
  );
}

/** Forgets the phrase if the user agrees: this browser may be the only place that has it. */
async function confirmForget(owner: string): Promise<void> {
  const text =
    'This browser deletes it. If you have not written it down, nobody can read your files again, not even the operator.';
  if (await confirm({ title: 'Forget the phrase?', text, action: 'Forget it' })) lock(owner);
}
