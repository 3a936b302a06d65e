import { blake3 } from '@noble/hashes/blake3.js';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { ConfigError } from '../config/environment.js';

const MANIFEST = 'manifest.json';

const part = z.object({ file: z.string().regex(/^[\w-]+(?:\/[\w.-]+)+$/), bytes: z.number(), blake3: z.string() });

const manifest = z.object({
  format: z.literal(1),
  /** Version of the platform. */
  version: z.string(),
  createdAt: z.string(),
  /** Names of the applied migrations by subgraph, in order. */
  migrations: z.record(z.string(), z.array(z.string())),
  tables: z.array(
    part.extend({ schema: z.string(), name: z.string(), columns: z.array(z.string()), rows: z.number() }),
  ),
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), value: z.string() })),
  /** Lists of objects by subgraph. */
  objects: z.array(part.extend({ subgraph: z.string(), count: z.number() })),
  /** Files of DATA_DIR with secrets. */
  keys: z.array(part),
  /** Identifies the keys of the encrypted columns, separated by commas. */
  dataKeyId: z.string().optional(),
});

/** A file of a backup. */
export type Part = z.infer<typeof part>;

/** Content of a backup; a backup without it is incomplete. */
export type Manifest = z.infer<typeof manifest>;

/** Creates the folder of a new backup. @throws ConfigError if it cannot be created or is not empty */
export async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new ConfigError(`${folder} cannot be the folder of the backup (${codeOf(error)}): give it one of its own.`);
  });
  if ((await readdir(folder)).length > 0)
    throw new ConfigError(`${folder} is not empty: give the backup a folder of its own.`);
}

/** Writes a file of the backup, durably. */
export async function writePart(folder: string, file: string, bytes: Readable): Promise<Part> {
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const hasher = blake3.create();
  let size = 0;
  await pipeline(
    bytes,
    async function* (source: AsyncIterable<Buffer>) {
      for await (const piece of source) {
        hasher.update(piece);
        size += piece.length;
        yield piece;
      }
    },
    createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }),
  );
  return { file, bytes: size, blake3: Buffer.from(hasher.digest()).toString('hex') };
}

/** Checks a file of the backup. @throws ConfigError if it is missing or damaged */
export async function checkPart(folder: string, { file, blake3: expected }: Part): Promise<void> {
  const hasher = blake3.create();
  try {
    for await (const piece of createReadStream(join(folder, file)) as AsyncIterable<Buffer>) hasher.update(piece);
  } catch (error) {
    throw new ConfigError(`The backup is incomplete: ${file} cannot be read (${codeOf(error)}).`);
  }
  if (Buffer.from(hasher.digest()).toString('hex') !== expected)
    throw new ConfigError(`The backup is damaged: ${file} differs from its hash.`);
}

/** Completes a backup: the manifest is written last. */
export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const text = JSON.stringify(content, undefined, 1);
  const draft = join(folder, `${MANIFEST}.new`);
  await writeFile(draft, JSON.stringify({ blake3: hashOf(text), manifest: text }), { mode: 0o600, flush: true });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await sync(join(entry.parentPath, entry.name));
  await rename(draft, join(folder, MANIFEST));
  await sync(folder);
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}

const envelope = z.object({ blake3: z.string(), manifest: z.string() });

/** Reads the manifest. @throws ConfigError if the backup is incomplete, damaged, or of a newer release */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: unknown) => {
    throw new ConfigError(`${folder} has no complete backup: ${MANIFEST} cannot be read (${codeOf(error)}).`);
  });
  const outer = envelope.safeParse(parse(text)).data;
  if (!outer || hashOf(outer.manifest) !== outer.blake3)
    throw new ConfigError(`The backup is damaged: ${MANIFEST} differs from its hash.`);
  const found = manifest.safeParse(parse(outer.manifest));
  if (!found.success)
    throw new ConfigError('The backup has another format: restore it with the release that wrote it.');
  return found.data;
}

/** The code of a system error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function hashOf(text: string): string {
  return Buffer.from(blake3(Buffer.from(text))).toString('hex');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
