import { confirm } from '../../../components/overlays/confirm';
import { counted } from '../../../components/format';
import { preparedUploads } from '../../../app/running-transfers';
import { createSessionStore, session } from '../../../session/session';
import { unlocked } from '../vault/phrase';
import { inVault } from '../vault/vault';
import type { Access, Revisions } from '../vault/vault-tasks';
import { addUploads, isFailed, isUnfinished, pathsOf, type PathedFile } from './upload-queue';

/** Files whose paths are checked before they are uploaded: which of them are stored already. */
interface PathCheck {
  readonly count: number;
  readonly stop: () => void;
}

export const pathChecks = createSessionStore<readonly PathCheck[]>([]);

/** Encrypts and uploads files into a folder of the owner. Stored files are replaced only if the user agrees, once for all of them. */
export async function uploadInto(owner: string, label: string, files: readonly PathedFile[]): Promise<void> {
  if (files.length === 0) return;
  const stop = new AbortController();
  const unsubscribe = session.subscribe(() => stop.abort());
  preparedUploads.set(preparedUploads.get() + files.length);
  try {
    const access = await unlocked(owner);
    const sent = pathsOf(label, isUnfinished);
    const taken = await takenPaths(access, label, files, stop);
    if (taken.size > 0 && !(await confirmReplaced([...taken.keys()]))) return;
    // What this tab has stored meanwhile is replaced, too.
    const own = sent.difference(pathsOf(label, isFailed));
    const baseOf = (path: string) => (own.has(path) ? undefined : (taken.get(path) ?? null));
    addUploads(
      access,
      label,
      files.map(({ path, file }) => ({ path, file, base: baseOf(path) })),
    );
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    preparedUploads.set(preparedUploads.get() - files.length);
    unsubscribe();
  }
}

/** Paths that the question names; the rest is counted. */
const NAMED = 3;

/** The revisions of the paths that are stored already. @throws when it is stopped */
async function takenPaths(
  access: Access,
  label: string,
  files: readonly PathedFile[],
  stop: AbortController,
): Promise<Revisions> {
  stop.signal.throwIfAborted();
  const check = { count: files.length, stop: () => stop.abort() };
  pathChecks.set([...pathChecks.get(), check]);
  try {
    const paths = files.map(({ path }) => path);
    const taken = await inVault(access, { kind: 'taken paths', label, paths }, { signal: stop.signal });
    stop.signal.throwIfAborted();
    return taken as Revisions;
  } finally {
    pathChecks.set(pathChecks.get().filter((other) => other !== check));
  }
}

function confirmReplaced(taken: readonly string[]): Promise<boolean> {
  const more = taken.length > NAMED ? ` and ${taken.length - NAMED} more` : '';
  const text = `${taken.slice(0, NAMED).join(', ')}${more}: what is stored there now cannot be restored.`;
  return confirm({ title: `Replace ${counted(taken.length, 'file')}?`, text, action: 'Replace' });
}
