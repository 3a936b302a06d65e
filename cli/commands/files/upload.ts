import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { RemoteFile } from '../../../sdk/src/index.js';
import { confirm } from '../../confirm.js';
import { UsageError } from '../../failure.js';
import { Progress } from '../../progress.js';
import { remoteFiles, type Folder } from './folder.js';
import { filesIn, inParallel, recordsIn, sourceOfFile } from './local.js';

/** Uploads a file or a directory. */
export async function push(folder: Folder, [source = '', target]: readonly string[]): Promise<void> {
  const info = await stat(source).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(`${source} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}.`);
  });
  const name = target ?? (info.isDirectory() ? '' : path.basename(source));
  const local = info.isDirectory() ? await filesIn(source) : [''];
  await upload(
    folder,
    local.map((part) => ({ file: path.join(source, part), relativePath: [name, part].filter(Boolean).join('/') })),
  );
}

/** Uploads a directory; with `--delete` deletes what it does not have. */
export async function sync(folder: Folder, [directory = '']: readonly string[]): Promise<void> {
  const local = await filesIn(directory);
  const remote = await upload(
    folder,
    local.map((part) => ({ file: path.join(directory, part), relativePath: part })),
  );
  const extra = [...remote.values()].filter(({ relativePath }) => !local.includes(relativePath ?? ''));
  if (folder.options.delete !== true || extra.length === 0) return;
  const { output } = folder.session;
  if (!output.isJson) for (const { relativePath } of extra) output.line(`- ${relativePath}`);
  await confirm(
    `Delete ${extra.length === 1 ? 'this file' : `these ${extra.length} files`} of the folder?`,
    folder.options.yes,
    'deleted',
  );
  await folder.files.delete(
    folder.key.folderHash,
    extra.map(({ fileId }) => fileId),
  );
  output.done(`deleted ${extra.length}`, { deleted: extra.map(({ relativePath }) => relativePath) });
}

interface LocalFile {
  readonly file: string;
  readonly relativePath: string;
}

/** Uploads what is new or changed. Returns the files that the folder had before. */
async function upload({ session, files, key }: Folder, local: readonly LocalFile[]): Promise<Map<string, RemoteFile>> {
  await files.register(key);
  const remote = await remoteFiles(files, key);
  const records = recordsIn(session.profiles);
  const progress = new Progress(session.output.isJson);
  const sent: string[] = [];
  await inParallel(local, async ({ file, relativePath }) => {
    const known = remote.get(relativePath);
    const handle = await open(file);
    try {
      const plaintext = await sourceOfFile(handle);
      if (known && (await files.isSame(known, plaintext))) return;
      const onProgress = (done: number, total: number) => progress.show(relativePath, done, total);
      const { signal } = session;
      await files.upload({ folder: key, relativePath, plaintext, base: known?.revision, records, onProgress, signal });
      sent.push(relativePath);
    } finally {
      await handle.close();
    }
  });
  progress.end();
  session.output.done(`uploaded ${sent.length} of ${local.length}`, { uploaded: sent.toSorted() });
  return remote;
}
