import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Config } from '../config/config.js';
import { readKeyFile as readDataKeys } from '../security/secret-box.js';

/** Files of DATA_DIR with secrets. */
export const KEY_FILES = ['data-key', 'admin-token'] as const;

/** Reads a file; undefined if it does not exist. */
export async function readKeyFile(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Identifies each key that encrypts secrets: those of DATA_KEY, else those in the file. It tells nothing about the keys. */
export async function dataKeyIds({ dataKeys }: Pick<Config, 'dataKeys'>, folder: string): Promise<string[]> {
  const keys = dataKeys.length > 0 ? dataKeys : ((await readDataKeys(folder)) ?? []);
  return keys.map((key) => createHmac('sha256', key).update('backup').digest('hex'));
}
