import { readFile } from 'node:fs/promises';
import { unlessCode } from '../security/secret-box.js';

/** Files of DATA_DIR with secrets. */
export const KEY_FILES = ['data-key', 'admin-token'] as const;

/** Reads a file; undefined if it does not exist. */
export async function readOptionalFile(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch(unlessCode('ENOENT'));
}
