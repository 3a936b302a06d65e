import { stat } from 'node:fs/promises';
import path from 'node:path';
import { confirm, previewOf } from '../../confirm.js';
import { UsageError } from '../../failure.js';
import { comparable, remoteFiles, withSubject, type FilesByPath, type Folder } from './folder.js';
import { filesIn, recordsIn, withFile } from './local.js';
import { transfer, type Run } from './transfer.js';

/** Uploads a file or a directory. */
export async function push(folder: Folder, [source = '', target = '']: readonly string[]): Promise<void> {
  const info = await stat(source).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(`${source} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}.`);
  });
  if (info.isDirectory()) {
    await uploadDirectory(folder, source, target.replace(/\/+$/, ''));
  } else if (info.isFile()) {
    const isInto = target === '' || target.endsWith('/');
    const file = { file: source, relativePath: isInto ? target + path.basename(source) : target };
    await upload(folder, [file], target === '' ? {} : { words: 'The' });
  } else {
    throw new UsageError(`${source} is neither a file nor a directory.`);
  }
}

/** Uploads a directory; with `--delete` deletes what it does not have. */
export async function sync(folder: Folder, [directory = '']: readonly string[]): Promise<void> {
  await uploadDirectory(folder, directory, '', folder.options.delete === true ? deleteOthers : undefined);
}

/** Deletes the files of the folder that are not among the local ones, after a question. */
async function deleteOthers(folder: Folder, local: readonly LocalFile[], remote: FilesByPath): Promise<object> {
  const kept = new Set(local.map(({ relativePath }) => comparable(relativePath)));
  const extra = [...remote].filter(([name]) => !kept.has(name)).map(([, file]) => file);
  if (extra.length === 0) return {};
  const { output } = folder.session;
  const preview = previewOf(output, folder.options.yes);
  for (const { relativePath } of extra) preview?.line(`- ${relativePath}`);
  await confirm(
    `Delete ${extra.length === 1 ? 'this file' : `these ${extra.length} files`} of the folder?`,
    folder.options.yes,
    'deleted',
  );
  await folder.files.delete(
    folder.key.folderHash,
    extra.map(({ fileId }) => fileId),
  );
  if (!output.isJson) output.line(`deleted ${extra.length}`);
  return { deleted: extra.map(({ relativePath }) => relativePath) };
}

interface LocalFile {
  readonly file: string;
  readonly relativePath: string;
}

/** What follows an upload. @param remote the files that the folder had before */
type After = (folder: Folder, local: readonly LocalFile[], remote: FilesByPath) => Promise<object>;

async function uploadDirectory(folder: Folder, directory: string, target: string, after?: After): Promise<void> {
  const names = await filesIn(directory);
  const local = names.map((name) => ({
    file: path.join(directory, name),
    relativePath: target === '' ? name : `${target}/${name}`,
  }));
  await upload(folder, local, { after });
}

/** What precedes the refusal of a name that nobody typed. */
const RENAME = 'Rename the file: its';

interface Options {
  /** Words before the refusal of a name. */
  readonly words?: string;
  readonly after?: After | undefined;
}

/** Uploads what is new or changed. */
async function upload(
  folder: Folder,
  local: readonly LocalFile[],
  { words = RENAME, after }: Options = {},
): Promise<void> {
  const { session, files, key } = folder;
  await files.register(key);
  const remote = await remoteFiles(folder);
  const records = recordsIn(session.profiles);
  const seen = new Set<string>();
  const work = async ({ file, relativePath }: LocalFile, run: Run) => {
    const name = comparable(relativePath);
    if (seen.has(name)) throw new Error('Another file has the same name in Unicode.');
    seen.add(name);
    const known = remote.get(name);
    const sent = withFile(file, async (plaintext) => {
      if (known && (await files.isSame(known, plaintext))) return undefined;
      await files.upload({ folder: key, relativePath, plaintext, base: known?.revision, records, ...run });
      return relativePath;
    });
    return sent.catch((error: unknown) => {
      throw withSubject(error, words);
    });
  };
  await transfer(session, {
    done: 'uploaded',
    items: local,
    pathOf: ({ relativePath }) => relativePath,
    work,
    after: after && (() => after(folder, local, remote)),
  });
}
