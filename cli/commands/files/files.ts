import type { Command } from 'commander';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathOf, type Files, type FolderKey, type RemoteFile } from '../../../sdk/src/index.js';
import { confirm } from '../../confirm.js';
import { countOf, UsageError } from '../../failure.js';
import { Progress } from '../../progress.js';
import { withSession, type Session } from '../../session.js';
import { phraseIn } from '../account/account.js';
import { filesIn, inParallel, isDirectory, recordsIn, sourceOfFile, within } from './local.js';

interface FolderOptions {
  readonly wallet: string;
  readonly delete?: boolean;
  readonly yes?: boolean;
}

interface Folder {
  readonly session: Session;
  readonly files: Files;
  readonly key: FolderKey;
  readonly options: FolderOptions;
}

/** Adds `files`. */
export function addFiles(program: Command): void {
  const files = program
    .command('files')
    .description('encrypted folders; the key is derived from the phrase of a wallet file');
  files
    .command('folders')
    .description('list the folders')
    .action((_options, command: Command) =>
      withSession(command, async ({ client, output, owner }) =>
        output.table(await client.files(owner()).folders(), [
          ['folder', ({ label }) => label],
          ['files', ({ fileCount }) => fileCount],
          ['bytes', ({ totalBytes }) => totalBytes],
        ]),
      ),
    );
  const inFolder = (words: string, description: string) =>
    files
      .command(words)
      .description(description)
      .requiredOption('--wallet <file>', 'file with the BIP-39 phrase of your wallet (required)');
  const act =
    (work: (folder: Folder, words: readonly string[]) => Promise<void>) =>
    async (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      const [label = '', ...words] = command.args;
      await withSession(command, async (session) => {
        const options = command.opts<FolderOptions>();
        const encrypted = session.client.files(session.owner());
        const key = encrypted.key(await phraseIn(options.wallet), label);
        await work({ session, files: encrypted, key, options }, words);
      });
    };
  inFolder('ls <folder> [path]', 'list files').action(act(list));
  inFolder('push <folder> <source> [path]', 'upload a file or a directory').action(act(push));
  inFolder(
    'pull <folder> <path> [target]',
    'download a file or a directory; a file goes into the target if that is a directory, else gets its name',
  ).action(act(pull));
  inFolder(
    'sync <folder> <directory>',
    'upload what is new or changed in a directory; one way: the directory itself is never changed',
  )
    .option('--delete', 'then delete files of the folder that the directory does not have, after a question')
    .option('--yes', 'do not ask')
    .action(act(sync));
  inFolder('rm <folder> <paths...>', 'delete files').action(act(remove));
  inFolder('mv <folder> <from> <to>', 'rename a file').action(act(move));
  addSearch(files);
}

function addSearch(files: Command): void {
  files
    .command('search <words>')
    .description('search the names of files in all folders')
    .option('--type <type>', 'image, video, audio, document, pdf, archive, code, or an extension such as .png')
    .option('-n, --limit <count>', 'maximum number of results', '25')
    .action((words: string, _options, command: Command) =>
      withSession(command, async ({ client, output, owner }) => {
        const { type, limit } = command.opts<{ type?: string; limit: string }>();
        const search = { q: words, limit: countOf(limit), ...(type !== undefined && { fileType: type }) };
        const found = await client.files(owner()).search(search);
        output.table(found.files, COLUMNS);
      }),
    );
}

const COLUMNS = [
  ['path', ({ relativePath }: RemoteFile) => relativePath],
  ['bytes', ({ sizeBytes }: RemoteFile) => sizeBytes],
  ['changed', ({ updatedAt }: RemoteFile) => updatedAt.toISOString()],
] as const;

async function list({ session, files, key }: Folder, [prefix = '']: readonly string[]): Promise<void> {
  const remote = await remoteFiles(files, key);
  if (remote.size === 0) await checkFolder(files, key);
  session.output.table([...remote.values()].filter(isBelow(prefix)), COLUMNS);
}

async function push(folder: Folder, [source = '', target]: readonly string[]): Promise<void> {
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

async function sync(folder: Folder, [directory = '']: readonly string[]): Promise<void> {
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

async function pull({ session, files, key }: Folder, [from = '', target = '.']: readonly string[]): Promise<void> {
  const remote = await remoteFiles(files, key);
  const single = remote.get(from);
  const chosen = single ? [single] : [...remote.values()].filter(isBelow(from));
  if (chosen.length === 0) throw new UsageError(`The folder has no file "${from}".`);
  const isInto = !single || (await isDirectory(target)) || /[/\\]$/.test(target);
  const progress = new Progress(session.output.isJson);
  const received = await inParallel(chosen, async (file) => {
    const relativePath = await pathOf(file, key);
    const name = single ? path.basename(relativePath) : path.relative(from, relativePath);
    const destination = isInto ? within(target, name) : path.resolve(target);
    await mkdir(path.dirname(destination), { recursive: true });
    const partial = `${destination}.part`;
    let done = 0;
    const counted = async function* () {
      for await (const part of files.download(key, file.fileId)) {
        progress.show(relativePath, (done += part.length), file.sizeBytes);
        yield part;
      }
    };
    const { signal } = session;
    await pipeline(Readable.from(counted()), createWriteStream(partial), { signal }).catch(async (error: unknown) => {
      await rm(partial, { force: true });
      throw error;
    });
    await rename(partial, destination);
    return destination;
  });
  progress.end();
  session.output.done(`downloaded ${received.length}`, { downloaded: received.toSorted() });
}

async function remove({ session, files, key }: Folder, paths: readonly string[]): Promise<void> {
  const remote = await remoteFiles(files, key);
  const ids = paths.map((name) => remote.get(name)?.fileId ?? missing(name));
  await files.delete(key.folderHash, ids);
  session.output.done(`deleted ${ids.length}`, { deleted: paths });
}

async function move({ session, files, key }: Folder, [from = '', to = '']: readonly string[]): Promise<void> {
  const file = (await remoteFiles(files, key)).get(from) ?? missing(from);
  await files.rename(key, file, to);
  session.output.done(`${from} is ${to} now`, { from, to });
}

function missing(name: string): never {
  throw new UsageError(`The folder has no file "${name}".`);
}

/** @throws UsageError when there is no such folder */
async function checkFolder(files: Files, { folderHash, label }: FolderKey): Promise<void> {
  const folders = await files.folders();
  if (!folders.some((folder) => folder.folderHash === folderHash))
    throw new UsageError(`There is no folder "${label}".`);
}

async function remoteFiles(files: Files, key: FolderKey): Promise<Map<string, RemoteFile>> {
  const found = new Map<string, RemoteFile>();
  for await (const file of files.list(key.folderHash)) {
    const relativePath = await pathOf(file, key);
    found.set(relativePath, { ...file, relativePath });
  }
  return found;
}

function isBelow(prefix: string): (file: RemoteFile) => boolean {
  const start = prefix === '' ? '' : `${prefix.replace(/\/+$/, '')}/`;
  return ({ relativePath }) => relativePath === prefix || (relativePath ?? '').startsWith(start);
}
