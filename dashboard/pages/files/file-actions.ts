import { useClient } from 'urql';
import { confirm } from '../../components/overlays/confirm';
import { showToast, showError } from '../../components/toasts';
import { done } from '../../graphql/done';
import { download } from './downloads/downloads';
import { DELETE_FILES, nameOf, type FileRow } from './operations';
import { filesChanged } from './uploads/upload-queue';
import { inVault } from './vault/vault';
import type { Access } from './vault/vault-tasks';

/** What can be done with a stored file. */
export interface FileActions {
  readonly download: (file: FileRow) => Promise<void>;
  readonly remove: (files: readonly FileRow[]) => Promise<void>;
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
