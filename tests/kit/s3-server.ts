// An S3-compatible store with the bucket `blobs`. Arguments: the folder of the objects, the port.
import type { Server } from 'node:http';
import { createRequire } from 'node:module';

interface Store {
  readonly httpServer: Server;
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
await store.run();
// A client that stalls must not write on a connection that is closed here meanwhile. Node's default is 5 s.
store.httpServer.keepAliveTimeout = 60_000;
process.stdout.write('ready\n');
