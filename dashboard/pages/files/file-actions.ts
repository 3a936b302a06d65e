import { useClient } from 'urql';
import { confirm } from '../../components/overlays/confirm';
import { showToast, showError } from '../../components/overlays/toasts';
import { done } from '../../graphql/done';
import { DELETE_FILES, type FileRow } from './operations';
import { unlocked } from './vault/phrase';
import { filesChanged } from './uploads/upload-queue';
import { inVault } from './vault/vault';
import type { Access } from './vault/vault-tasks';

declare global {
  interface Window {
    /** Missing in Firefox and Safari. */
    showSaveFilePicker?(options: { readonly suggestedName: string }): Promise<FileSystemFileHandle>;
  }
}

/** What can be done with a stored file. */
export interface FileActions {
  readonly download: (file: FileRow) => Promise<void>;
  readonly remove: (files: readonly FileRow[]) => Promise<void>;
}

/** The last part of the path of a file. */
export function nameOf({ fileName, relativePath, fileId }: FileRow): string {
  return relativePath?.split('/').at(-1) ?? fileName ?? fileId;
}

/** The actions on the files of an owner. */
export function useFileActions(owner: string): FileActions {
  const client = useClient();
  return {
    download: (file) => download(owner, file).catch(showError),
    async remove(files) {
      const [first] = files;
      if (!first) return;
      const what = files.length === 1 ? nameOf(first) : `${files.length} files`;
      const text = 'Deleted files cannot be restored.';
      if (!(await confirm({ title: `Delete ${what}?`, text, action: 'Delete' }))) return;
      const ids = files.map(({ fileId }) => fileId);
      const { deleteFiles } = await done(client.mutation(DELETE_FILES, { owner, hash: first.folderHash, ids }));
      const [failed] = deleteFiles.errors;
      if (failed) throw new Error(failed.message);
      showToast(`${what} is deleted.`);
      filesChanged();
    },
  };
}

/** Gives a file another path in its folder. */
export async function rename(access: Access, file: FileRow, path: string): Promise<void> {
  const { fileId, revisionId, revisionSeq } = file;
  const name = { fileId, revisionId, revisionSeq: Number(revisionSeq) };
  await inVault(access, { kind: 'rename', label: file.folderLabel, file: name, path });
  showToast(`The file is now called ${path}.`);
  filesChanged();
}

/** Decrypts a file into one that the user chooses, or as the browser saves downloads. */
async function download(owner: string, file: FileRow): Promise<void> {
  const access = await unlocked(owner);
  const name = nameOf(file);
  const handle = await window.showSaveFilePicker?.({ suggestedName: name }).catch(nullIfClosed);
  if (handle === null) return;
  const { folderLabel: label, fileId, sizeBytes } = file;
  showToast(`${name} is being downloaded and decrypted.`);
  const blob = await inVault(access, { kind: 'download', label, fileId, sizeBytes: Number(sizeBytes), handle });
  if (blob instanceof Blob) save(blob, name);
  else showToast(`${name} is saved.`);
}

/** The user closed the window in which the file is chosen. @throws every other error */
function nullIfClosed(error: unknown): null {
  if (error instanceof DOMException && error.name === 'AbortError') return null;
  throw error;
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
