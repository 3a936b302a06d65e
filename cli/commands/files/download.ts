import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathOf } from '../../../sdk/src/index.js';
import { UsageError } from '../../failure.js';
import { Progress } from '../../progress.js';
import { isBelow, remoteFiles, type Folder } from './folder.js';
import { inParallel, isDirectory, within } from './local.js';

/** Downloads a file, or the files below a path. */
export async function pull(
  { session, files, key }: Folder,
  [from = '', target = '.']: readonly string[],
): Promise<void> {
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
