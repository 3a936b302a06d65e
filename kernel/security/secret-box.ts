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
  /** Seals it again if it was not sealed by the first key; else undefined. @throws like `open` */
  renew(sealed: string, purpose: string): string | undefined;
  /** Derives a deterministic secret for a purpose; it does not reveal the key. */
  derive(purpose: string): string;
}

/** The key file under DATA_DIR, used without DATA_KEY. */
export const KEY_FILE = 'data-key';
const KEY_BYTES = 32;

/** The keys: the first encrypts, all decrypt. */
type Keys = readonly [Buffer, ...Buffer[]];

/** Opens the platform's keys, and creates one at first use. @throws ConfigError if the file contains something else */
export async function openSecretBox({ dataKeys, dataDir }: Pick<Config, 'dataKeys' | 'dataDir'>): Promise<SecretBox> {
  const [given, ...others] = dataKeys;
  const keys: Keys = given ? [given, ...others] : await readOrCreateKeys(dataDir);
  const seal = (secret: string, purpose: string) => encrypt(keys[0], secret, purpose).toString('base64');
  const open = (sealed: string, purpose: string) => openByAny(keys, Buffer.from(sealed, 'base64'), purpose);
  return {
    seal,
    open: (sealed, purpose) => open(sealed, purpose).secret,
    renew: (sealed, purpose) => {
      const { key, secret } = open(sealed, purpose);
      return key === keys[0] ? undefined : seal(secret, purpose);
    },
    derive: (purpose) => createHmac('sha256', keys[0]).update(purpose).digest('base64url'),
  };
}

/** @throws what the first key throws, if none of the keys opens it */
function openByAny(keys: Keys, sealed: Buffer, purpose: string): { readonly key: Buffer; readonly secret: string } {
  const [key, ...others] = keys;
  try {
    return { key, secret: decrypt(key, sealed, purpose) };
  } catch (error) {
    const [next, ...rest] = others;
    if (!next) throw error;
    return openByAny([next, ...rest], sealed, purpose);
  }
}

/** Identifies each key that encrypts secrets: those of DATA_KEY, else those in the file. It tells nothing about the keys. */
export async function dataKeyIds({ dataKeys }: Pick<Config, 'dataKeys'>, folder: string): Promise<string[]> {
  const keys = dataKeys.length > 0 ? dataKeys : ((await readKeyFile(folder)) ?? []);
  return keys.map((key) => createHmac('sha256', key).update('backup').digest('hex'));
}

/** The keys of the file, one in a line; undefined if there is no file. @throws ConfigError if it contains something else */
export async function readKeyFile(dataDir: string): Promise<Keys | undefined> {
  const file = join(dataDir, KEY_FILE);
  const text = await readFile(file, 'utf8').catch(unlessCode('ENOENT'));
  if (text === undefined) return undefined;
  const [key, ...others] = text
    .trim()
    .split(/[\s,]+/)
    .map((line) => Buffer.from(line, 'base64'));
  if (!key || [key, ...others].some(({ length }) => length !== KEY_BYTES))
    throw new ConfigError(`${file} does not hold keys of 32 bytes in base64.`);
  return [key, ...others];
}

/** Creates the file with link(2), which never replaces a file, so that processes that start together share one key. */
async function readOrCreateKeys(dataDir: string): Promise<Keys> {
  const file = join(dataDir, KEY_FILE);
  const existing = await readKeyFile(dataDir);
  if (existing) return existing;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true });
  await link(draft, file).catch(unlessCode('EEXIST'));
  await unlink(draft);
  const created = await readKeyFile(dataDir);
  if (!created) throw new Error(`${file} disappeared while it was created`);
  return created;
}

/** Returns a handler that ignores errors of this code and throws others. */
export function unlessCode(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
  };
}
