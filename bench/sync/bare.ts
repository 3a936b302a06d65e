import { open } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { openHashing } from '../../subgraphs/sync/blake3/hashing.js';

/**
 * A minimal chunk store: writes a PUT to a new file, hashes it natively with BLAKE3, and syncs the file and its folder before the
 * response. It has no authentication. Arguments: folder, port.
 */
const [folder = '', port = ''] = process.argv.slice(2);
const hashing = await openHashing();
let files = 0;

async function store(request: IncomingMessage): Promise<void> {
  const file = await open(join(folder, `${++files}`), 'wx', 0o600);
  const hasher = hashing.stream();
  for await (const part of request as AsyncIterable<Buffer>) {
    hasher.update(part);
    await file.write(part);
  }
  hasher.digest();
  await file.datasync();
  await file.close();
  const entries = await open(folder, 'r');
  await entries.sync();
  await entries.close();
}

createServer((request, response) => {
  store(request).then(
    () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"received":true}'),
    () => response.writeHead(500).end(),
  );
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
