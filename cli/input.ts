import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { UsageError } from './failure.js';

/** Reads a text file; `-` is standard input. @throws UsageError when it cannot be read */
export async function readText(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT';
    throw new UsageError(isMissing ? `There is no file ${file}.` : `${file} cannot be read: ${error.message}`);
  });
}
