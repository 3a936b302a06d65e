import { createHmac, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { ConfigError } from '../config/environment.js';
import { decrypt, encrypt } from './encryption.js';

/** Keeps secrets that must be read again: AES-256-GCM, bound to what each is for. */
export interface SecretBox {
  /** @param purpose where the secret belongs, e.g. `webhook:<id>`: elsewhere it cannot be opened */
  seal(secret: string, purpose: string): string;
  /** @throws when the text was sealed for another purpose or by another key, or was changed since */
  open(sealed: string, purpose: string): string;
  /** A secret of its own for a purpose, always the same, from which the key cannot be told. */
  derive(purpose: string): string;
}

/** The key under DATA_DIR, for processes that were not given DATA_KEY. */
const KEY_FILE = 'data-key';
const KEY_BYTES = 32;

/** Opens the platform's key, made at first use. @throws ConfigError when the file holds something else */
export async function openSecretBox({ dataKey, dataDir }: Pick<Config, 'dataKey' | 'dataDir'>): Promise<SecretBox> {
  const key = dataKey ?? (await readOrMakeKey(dataDir));
  return {
    seal: (secret, purpose) => encrypt(key, secret, purpose).toString('base64'),
    open: (sealed, purpose) => decrypt(key, Buffer.from(sealed, 'base64'), purpose),
    derive: (purpose) => createHmac('sha256', key).update(purpose).digest('base64url'),
  };
}

/** A link never replaces: of processes that start at once, the first one's key is everyone's. */
async function readOrMakeKey(dataDir: string): Promise<Buffer> {
  const file = join(dataDir, KEY_FILE);
  const kept = await readKey(file);
  if (kept) return kept;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true });
  await link(draft, file).catch(unlessCode('EEXIST'));
  await unlink(draft);
  const made = await readKey(file);
  if (!made) throw new Error(`${file} vanished while it was made`);
  return made;
}

async function readKey(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, 'utf8').catch(unlessCode('ENOENT'));
  if (text === undefined) return undefined;
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES) throw new ConfigError(`${file} does not hold a key of 32 bytes in base64.`);
  return key;
}

function unlessCode(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
  };
}
