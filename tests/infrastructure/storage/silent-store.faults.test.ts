import { HeadBucketCommand } from '@aws-sdk/client-s3';
import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { openS3Client } from '../../../kernel/object-store/client.js';

it('a store that accepts connections and does not answer fails the request', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
  const client = openS3Client(
    { bucket: 'own', prefix: '', region: 'auto', endpoint, credentials },
    { maxAttempts: 1, requestTimeout: 100 },
  );
  await expect(client.send(new HeadBucketCommand({ Bucket: 'own' }))).rejects.toThrow('requestTimeout');
  for (const socket of sockets) socket.destroy();
  server.close();
});
