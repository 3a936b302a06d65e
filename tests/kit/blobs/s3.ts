import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../kernel/package-root.js';
import { bucketSettings, type BucketConfig } from '../../../kernel/object-store/bucket-settings.js';
import { freePort } from '../arrangements.js';

/** Access keys of the test store. */
export const S3_KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' } as const;

/** An S3-compatible store on loopback with the bucket `blobs`. */
export interface RunningS3 {
  /** For BLOB_URL. */
  readonly url: string;
  readonly config: BucketConfig;
  /** Folder of the objects: `blobs/<key>._S3rver_object`. */
  readonly directory: string;
  readonly child: ChildProcess;
  close(): Promise<void>;
}

/** The command of a store. */
export function s3Command(directory: string, port: number): readonly [string, ...string[]] {
  return [process.execPath, join(packageRoot(), 'dist/tests/kit/blobs/s3-server.js'), directory, `${port}`];
}

/** Its BLOB_URL. */
export const s3Url = (port: number): string => `s3://blobs/files?endpoint=http://127.0.0.1:${port}`;

/** Starts the store. Sets the keys in the environment of this process, where the client reads them. */
export async function startS3(): Promise<RunningS3> {
  Object.assign(process.env, S3_KEYS);
  const directory = await mkdtemp(join(tmpdir(), 'archipelago-s3-'));
  const port = await freePort();
  const [program, ...words] = s3Command(directory, port);
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  child.stdout.resume();
  const url = s3Url(port);
  const config = bucketSettings.parse({ BLOB_URL: url });
  if (!config) throw new Error('the URL of the tests is one');
  const close = async () => {
    const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await exited;
    await rm(directory, { recursive: true, force: true });
  };
  return { url, config, directory, child, close };
}
