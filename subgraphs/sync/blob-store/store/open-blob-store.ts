import { join } from 'node:path';
import type { z } from 'zod';
import type { Config } from '../../../../kernel/config/config.js';
import { ConfigError, group } from '../../../../kernel/config/environment.js';
import { bucketSettings } from '../../../../kernel/object-store/bucket-settings.js';
import type { BlobStore } from './blob-store.js';
import { openDirectoryStore } from './directory-store.js';

/** The store that BLOB_URL names; undefined: a directory under `dataDir`. */
export const blobStoreConfig = group({ blobStore: bucketSettings });

export type BlobStoreConfig = z.infer<typeof blobStoreConfig> & Pick<Config, 'dataDir'>;

/** Opens the configured store. @throws ConfigError with one line for the operator if it cannot be used */
export async function openBlobStore({ blobStore, dataDir }: BlobStoreConfig): Promise<BlobStore> {
  if (blobStore) {
    // Loaded only if needed: other configurations start faster.
    const { openS3Store } = await import('./bucket-store.js');
    return openS3Store(blobStore).catch(refuse(`BLOB_URL: the bucket ${blobStore.bucket} cannot be used`));
  }
  const root = join(dataDir, 'blobs');
  return openDirectoryStore(root).catch(refuse(`The files in ${root} cannot be used`));
}

/** Checks that the configured bucket answers. @throws ConfigError with one line for the operator */
export async function checkBlobStore(config: BlobStoreConfig): Promise<undefined> {
  if (config.blobStore) await openBlobStore(config);
}

function refuse(sentence: string): (error: unknown) => never {
  return (error) => {
    if (isTimeOut(error)) throw new ConfigError(`${sentence}: it did not answer in time (time-out).`);
    const word = error instanceof Error ? ('code' in error ? String(error.code) : error.name) : String(error);
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
    throw new ConfigError(`${sentence}: ${message.includes(word) ? message : `${word} ${message}`.trim()}`);
  };
}

/** Names of errors from our time limits, and from the client when they end a request. */
const TIMEOUT_ERRORS: ReadonlySet<string> = new Set(['AbortError', 'TimeoutError']);

function isTimeOut(error: unknown): boolean {
  return error instanceof Error && TIMEOUT_ERRORS.has(error.name);
}
