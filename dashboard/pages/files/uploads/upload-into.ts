import { confirm } from '../../../components/overlays/confirm';
import { counted } from '../../../components/format';
import { session } from '../../../session/session';
import { unlocked } from '../vault/phrase';
import { inVault } from '../vault/vault';
import type { Access } from '../vault/vault-tasks';
import { addUploads, type PathedFile } from './upload-queue';

/** Encrypts and uploads files into a folder of the owner. Stored files are replaced only if the user agrees, once for all of them. */
export async function uploadInto(owner: string, label: string, files: readonly PathedFile[]): Promise<void> {
  if (files.length === 0) return;
  const sender = session.get();
  const access = await unlocked(owner);
  const taken = await takenPaths(access, label, files);
  // Another user may have signed in meanwhile.
  if (session.get() !== sender) return;
  if (taken.length === 0 || (await confirmReplaced(taken))) addUploads(access, label, files);
}

/** Paths that the question names; the rest is counted. */
const NAMED = 3;

async function takenPaths(access: Access, label: string, files: readonly PathedFile[]): Promise<readonly string[]> {
  const paths = files.map(({ path }) => path);
  return (await inVault(access, { kind: 'taken paths', label, paths })) as readonly string[];
}

function confirmReplaced(taken: readonly string[]): Promise<boolean> {
  const more = taken.length > NAMED ? ` and ${taken.length - NAMED} more` : '';
  const text = `${taken.slice(0, NAMED).join(', ')}${more}: what is stored there now cannot be restored.`;
  return confirm({ title: `Replace ${counted(taken.length, 'file')}?`, text, action: 'Replace' });
}
