import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.js';

/** Files of DATA_DIR with secrets. */
export const KEY_FILES = ['data-key', 'admin-token'] as const;

/** Reads a file; undefined if it does not exist. */
export async function readKeyFile(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Identifies the key that encrypts secrets: that of DATA_KEY, else the one in the file. It tells nothing about the key. */
export async function dataKeyId({ dataKey }: Pick<Config, 'dataKey'>, folder: string): Promise<string | undefined> {
  const stored = await readKeyFile(join(folder, 'data-key'));
  const key = dataKey ?? (stored && Buffer.from(stored.toString('utf8').trim(), 'base64'));
  return key && createHmac('sha256', key).update('backup').digest('hex');
}
