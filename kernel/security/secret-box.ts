import { createHmac, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { ConfigError } from '../config/environment.js';
import { decrypt, encrypt } from './encryption.js';

/** Encrypts secrets that must be readable later: AES-256-GCM, bound to a purpose. */
export interface SecretBox {
  /** @param purpose authenticated context, e.g. `webhook:<id>`; `open` needs the same */
  seal(secret: string, purpose: string): string;
  /** @throws for another purpose or key, and for a modified text */
  open(sealed: string, purpose: string): string;
  /** Derives a deterministic secret for a purpose; it does not reveal the key. */
  derive(purpose: string): string;
}

/** The key file under DATA_DIR, used without DATA_KEY. */
const KEY_FILE = 'data-key';
const KEY_BYTES = 32;

/** Opens the platform's key and creates it at first use. @throws ConfigError if the file contains something else */
export async function openSecretBox({ dataKey, dataDir }: Pick<Config, 'dataKey' | 'dataDir'>): Promise<SecretBox> {
  const key = dataKey ?? (await readOrCreateKey(dataDir));
  return {
    seal: (secret, purpose) => encrypt(key, secret, purpose).toString('base64'),
    open: (sealed, purpose) => decrypt(key, Buffer.from(sealed, 'base64'), purpose),
    derive: (purpose) => createHmac('sha256', key).update(purpose).digest('base64url'),
  };
}

/** Creates the file with link(2), which never replaces a file, so that processes that start together share one key. */
async function readOrCreateKey(dataDir: string): Promise<Buffer> {
  const file = join(dataDir, KEY_FILE);
  const existing = await readKey(file);
  if (existing) return existing;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true });
  await link(draft, file).catch(unlessCode('EEXIST'));
  await unlink(draft);
  const created = await readKey(file);
  if (!created) throw new Error(`${file} disappeared while it was created`);
  return created;
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
