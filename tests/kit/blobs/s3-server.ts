// An S3-compatible store with the bucket `blobs`. Arguments: the folder of the objects, the port.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';

interface NewObject {
  readonly bucket: string;
  readonly key: string;
  readonly content: NodeJS.ReadableStream;
  readonly metadata: unknown;
}

interface Store {
  readonly httpServer: Server;
  readonly store: {
    getResourcePath(bucket: string, key: string, resource: 'object'): string;
    putMetadata(bucket: string, key: string, metadata: unknown, md5: string): Promise<void>;
    putObject(object: NewObject): Promise<{ size: number; md5: string }>;
  };
  run(): Promise<unknown>;
}

const [directory, port] = process.argv.slice(2);
const S3rver: new (options: Readonly<Record<string, unknown>>) => Store = createRequire(import.meta.url)('s3rver');
const store = new S3rver({
  directory,
  port: Number(port),
  address: '127.0.0.1',
  vhostBuckets: false,
  silent: true,
  configureBuckets: [{ name: 'blobs' }],
});
// As S3 does, keep nothing of an object whose request ends early. s3rver keeps the part that it received.
store.store.putObject = async ({ bucket, key, content, metadata }) => {
  const bytes = await buffer(content);
  const path = store.store.getResourcePath(bucket, key, 'object');
  const md5 = createHash('md5').update(bytes).digest('hex');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  await store.store.putMetadata(bucket, key, metadata, md5);
  return { size: bytes.length, md5 };
};
await store.run();
// A client that stalls must not write on a connection that is closed here meanwhile. Node's default is 5 s.
store.httpServer.keepAliveTimeout = 60_000;
process.stdout.write('ready\n');
