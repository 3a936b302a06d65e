import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a directory and those above it that are missing, and returns the first that it made. `mkdir` with `recursive` never
 * returns where a file system answers ENOENT inside a directory that exists, such as /proc.
 */
export async function makeDirectory(directory: string, mode = 0o777): Promise<string | undefined> {
  const above = path.dirname(directory);
  const isAboveMissing = (error: NodeJS.ErrnoException): true => {
    if (error.code !== 'ENOENT' || above === directory) throw error;
    return true;
  };
  const first = await makeOne(directory, mode).catch(isAboveMissing);
  if (first !== true) return first;
  const firstAbove = await makeDirectory(above, mode);
  const made = await makeOne(directory, mode);
  return firstAbove ?? made;
}

/** Returns the directory if it was made, undefined if it is there already. */
async function makeOne(directory: string, mode: number): Promise<string | undefined> {
  return mkdir(directory, { mode }).then(
    () => directory,
    async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST' && (await stat(directory)).isDirectory()) return undefined;
      throw error;
    },
  );
}
