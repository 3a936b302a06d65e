import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes a file atomically, so that two builds can run at once. @param content or a function that writes the file it is given */
export async function writeAtomically(file, content) {
  const temporary = `${file}.${process.pid}.tmp`;
  await mkdir(path.dirname(file), { recursive: true });
  await (typeof content === 'function' ? content(temporary) : writeFile(temporary, content));
  await rename(temporary, file);
}
