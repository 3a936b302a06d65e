import { Link, useNavigate } from '@tanstack/react-router';
import { Folder as FolderIcon, FolderPlus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import { useMe } from '../../app/me';
import { Button } from '../../components/forms/button';
import { Card, Figure } from '../../components/card';
import { Dialog } from '../../components/overlays/dialog';
import { TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { bytes, counted, Time } from '../../components/format';
import { Page } from '../../components/page';
import { showToast } from '../../components/toasts';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { done } from '../../graphql/done';
import type { ResultOf } from '../../graphql/graphql';
import { LinkWalletButton } from '../account/link-wallet';
import { DownloadPanel } from './downloads/download-panel';
import './files.css';
import { OVERVIEW, REGISTER, type FolderRow } from './operations';
import { PhraseDialog, unlocked } from './vault/phrase';
import { FileSearch } from './search';
import { useStoredChanges } from './stored-changes';
import { useFileDrop } from './uploads/file-drop';
import { UploadPanel } from './uploads/upload-panel';
import { inVault } from './vault/vault';
import type { Access } from './vault/vault-tasks';

type Overview = ResultOf<typeof OVERVIEW>;

/** The encrypted folders of the user, a search in all of them, and the space that they take. */
export function FilesPage() {
  const { substrateAddress } = useMe();
  const [access, setAccess] = useState<Access>();
  // Else the browser opens the file instead of this page.
  useFileDrop(() => showToast('Open a folder, and drop the files there.'));
  if (substrateAddress === null) return <NoAddressPage />;
  const begin = async () => setAccess(await unlocked(substrateAddress));
  const actions = (
    <>
      <Link className="button" to="/files/deleted">
        <Trash2 className="icon" aria-hidden />
        Deleted folders
      </Link>
      <Button kind="primary" icon={FolderPlus} onPress={begin}>
        New folder
      </Button>
    </>
  );
  return (
    <Page
      title="Files"
      lead="Encrypted in this browser before they are sent; nobody else can read them."
      actions={actions}
    >
      <FileSearch owner={substrateAddress}>
        <Folders owner={substrateAddress} onNew={begin} />
      </FileSearch>
      <UploadPanel />
      <DownloadPanel />
      {access && <NewFolderDialog access={access} onClose={() => setAccess(undefined)} />}
      <PhraseDialog />
    </Page>
  );
}

/** Shown to users without an address, whom no folder can belong to. */
export function NoAddressPage() {
  return (
    <Page title="Files">
      <Empty icon={FolderIcon} title="Files belong to an SS58 address" action={<LinkWalletButton />}>
        Your account has none yet. Link the wallet that your files shall belong to.
      </Empty>
    </Page>
  );
}

function Folders({ owner, onNew }: { readonly owner: string; readonly onNew: () => unknown }) {
  const query = useQuery({ query: OVERVIEW, variables: { owner }, requestPolicy: 'cache-and-network' });
  useStoredChanges(query[1]);
  return (
    <QueryView query={query}>
      {(overview) => (
        <>
          <Quota {...overview} />
          <Card title="Folders" isFlush>
            <Table
              label="Folders"
              columns={COLUMNS}
              rows={overview.folders.folders}
              rowId={({ folderHash }) => folderHash}
              empty={<NoFolders onNew={onNew} />}
            />
          </Card>
        </>
      )}
    </QueryView>
  );
}

function NoFolders({ onNew }: { readonly onNew: () => unknown }) {
  const action = (
    <Button kind="primary" icon={FolderPlus} onPress={onNew}>
      New folder
    </Button>
  );
  return (
    <Empty icon={FolderIcon} title="No folders yet" action={action}>
      A folder holds files that are encrypted with your phrase. Create one here, or sync one with the client on your
      computer: both show the same files.
    </Empty>
  );
}

const COLUMNS: readonly Column<FolderRow>[] = [
  {
    id: 'label',
    title: 'Name',
    value: ({ label }) => label,
    cell: ({ folderHash, label }) => (
      <Link className="file-name" to="/files/$folder/$" params={{ folder: folderHash, _splat: '' }}>
        <FolderIcon className="icon" aria-hidden />
        {label}
      </Link>
    ),
  },
  {
    id: 'files',
    title: 'Files',
    isAtEnd: true,
    value: ({ fileCount }) => fileCount,
    cell: ({ fileCount }) => <span className="number">{fileCount.toLocaleString()}</span>,
  },
  {
    id: 'size',
    title: 'Size',
    isAtEnd: true,
    value: ({ totalBytes }) => Number(totalBytes),
    cell: ({ totalBytes }) => <span className="number">{bytes(totalBytes)}</span>,
  },
  {
    id: 'device',
    title: 'Created on',
    value: ({ deviceName }) => deviceName,
    cell: ({ deviceName }) => deviceName || '–',
  },
  {
    id: 'changed',
    title: 'Changed',
    value: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt }) => <Time at={new Date(updatedAt * 1000).toISOString()} />,
  },
];

function Quota({ storageSummary, storagePrice, canUpload }: Overview) {
  const { totalBytes, fileCount, restorableBytes } = storageSummary;
  const price = storagePrice.creditsPerGibMonth;
  return (
    <Card>
      <div className="file-figures">
        <Figure label="Stored" note={counted(fileCount, 'file')}>
          {bytes(totalBytes)}
        </Figure>
        <Figure label="In deleted folders" note="restorable for seven days">
          {bytes(restorableBytes)}
        </Figure>
        <Figure label="Price" note={price === null ? 'uploads need no credits' : 'credits per GiB and month'}>
          {price ?? 'free'}
        </Figure>
        <Figure label="Uploads" note={canUpload.error ?? 'limited by your credits only'}>
          {canUpload.result ? 'open' : 'closed'}
        </Figure>
      </div>
    </Card>
  );
}

function NewFolderDialog({ access, onClose }: { readonly access: Access; readonly onClose: () => void }) {
  const [label, setLabel] = useState('');
  const client = useClient();
  const navigate = useNavigate();
  const submit = async () => {
    const hash = String(await inVault(access, { kind: 'folder hash', label }));
    await done(client.mutation(REGISTER, { owner: access.owner, hash, label }));
    onClose();
    await navigate({ to: '/files/$folder/$', params: { folder: hash, _splat: '' } });
  };
  return (
    <Dialog title="New folder" isOpen onClose={onClose}>
      <Form submit="Create the folder" label="New folder" onSubmit={submit} onCancel={onClose}>
        <TextField
          label="Name"
          hint="The name stays as it is: the key of the folder is derived from it and your phrase."
          required
          maxLength={100}
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
      </Form>
    </Dialog>
  );
}
