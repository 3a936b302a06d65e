import { once } from 'node:events';
import { close, createWriteStream, fdatasync, fsync, open } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * A minimal chunk store: streams a PUT into a new file and syncs the file and its folder before the response. It does not
 * hash and has no authentication. Arguments: folder, port.
 */
const [folder = '', port = ''] = process.argv.slice(2);
const [openFile, closeFile] = [promisify(open), promisify(close)];
const [syncData, syncAll] = [promisify(fdatasync), promisify(fsync)];
let files = 0;

async function store(request: IncomingMessage): Promise<void> {
  const file = await openFile(join(folder, `${++files}`), 'wx', 0o600);
  await once(request.pipe(createWriteStream('', { fd: file, autoClose: false })), 'finish');
  await syncData(file);
  await closeFile(file);
  const entries = await openFile(folder, 'r');
  await syncAll(entries);
  await closeFile(entries);
}

createServer((request, response) => {
  store(request).then(
    () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"received":true}'),
    () => response.writeHead(500).end(),
  );
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
