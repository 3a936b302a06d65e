import type { Command } from 'commander';
import type { RemoteFile } from '../../../sdk/src/index.js';
import { confirm, YES } from '../../confirm.js';
import { countOf, UsageError } from '../../failure.js';
import { rowsUpTo } from '../../pages.js';
import { withSession } from '../../session.js';
import { phraseIn } from '../account/account.js';
import { pull } from './download.js';
import {
  comparable,
  existingFiles,
  fileAt,
  filesBelow,
  withSubject,
  type Folder,
  type FolderOptions,
} from './folder.js';
import { push, sync } from './upload.js';

const HELP = {
  push: 'upload a file or a directory; follows a symbolic link that is the source, skips those in a directory',
  pull:
    'download a file or a directory, or with the path / the whole folder; skips files that are the same and resumes ' +
    'those that were interrupted; replaces local files, also changed ones; ' +
    'a file goes into the target if that is a directory, else gets its name',
  sync:
    'upload what is new or changed in a directory, except empty directories; ' +
    'one way: the directory itself is never changed',
} as const;

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
        output.table(await client.files(await owner()).folders(), [
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
      if (label === '') throw new UsageError('The name of the folder is empty.');
      await withSession(command, async (session) => {
        const options = command.opts<FolderOptions>();
        const encrypted = session.client.files(await session.owner());
        const key = encrypted.key(await phraseIn(session, options.wallet), label);
        await work({ session, files: encrypted, key, options }, words);
      });
    };
  inFolder('ls <folder> [path]', 'list files').action(act(list));
  inFolder('push <folder> <source> [path]', HELP.push).action(act(push));
  inFolder('pull <folder> <path> [target]', HELP.pull).action(act(pull));
  inFolder('sync <folder> <directory>', HELP.sync)
    .option('--delete', 'then delete files of the folder that the directory does not have, after a question')
    .option(...YES)
    .action(act(sync));
  inFolder('rm <folder> <paths...>', 'delete files; one whose path cannot be read by its id')
    .option(...YES)
    .action(act(remove));
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
        const folders = client.files(await owner());
        const search = { q: words, ...(type !== undefined && { fileType: type }) };
        const found = await rowsUpTo({
          limit: countOf(limit),
          option: '--limit',
          read: async (size, offset: number | undefined = 0) => {
            const { files: rows, totalCount, hasMore } = await folders.search({ ...search, offset, limit: size });
            return { rows, next: hasMore ? offset + size : null, total: totalCount };
          },
        });
        output.table(found, [['folder', ({ folderLabel }) => folderLabel], ...COLUMNS]);
      }),
    );
}

const COLUMNS = [
  ['path', ({ relativePath }: RemoteFile) => relativePath],
  ['bytes', ({ sizeBytes }: RemoteFile) => sizeBytes],
  ['changed', ({ updatedAt }: RemoteFile) => updatedAt.toISOString()],
] as const;

async function list(folder: Folder, [prefix = '']: readonly string[]): Promise<void> {
  folder.session.output.table(filesBelow(await existingFiles(folder), prefix), COLUMNS);
}

async function remove(folder: Folder, paths: readonly string[]): Promise<void> {
  const { files, key, session, options } = folder;
  const remote = await existingFiles(folder, paths);
  const ids = paths.map((name) => fileAt(remote, name).fileId);
  await confirm(`Delete ${paths.join(', ')}?`, options.yes, 'deleted');
  await files.delete(key.folderHash, ids);
  session.output.done(`deleted ${ids.length}`, { deleted: paths });
}

async function move(folder: Folder, [from = '', to = '']: readonly string[]): Promise<void> {
  const { files, key, session } = folder;
  const remote = await existingFiles(folder);
  const file = fileAt(remote, from);
  if (to === '') throw new UsageError('The new path is empty.');
  if (remote.has(comparable(to)) && comparable(to) !== comparable(from))
    throw new UsageError(`The folder has a file "${to}" already.`);
  await files.rename(key, file, to).catch((error: unknown) => {
    throw withSubject(error, 'The new');
  });
  session.output.done(`${from} is ${to} now`, { from, to });
}
