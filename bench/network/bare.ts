import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';

/**
 * A minimal server without authentication. `PUT /kept` stores bytes in memory, `GET /kept` returns them, `POST /send?times=5`
 * responds and then sends its body 5 times on every socket. Argument: the port.
 */
const [port = ''] = process.argv.slice(2);
let kept = Buffer.alloc(0);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': kept.length }).end(kept);
    return;
  }
  const bytes = await buffer(request);
  response.writeHead(201, { 'content-type': 'application/json' }).end('{}');
  if (request.method === 'PUT') kept = bytes;
  else sendAll(bytes, Number(new URL(request.url ?? '/', 'http://bare').searchParams.get('times')));
}

function sendAll(bytes: Buffer, times: number): void {
  for (const socket of sockets.clients) for (let i = 0; i < times; i++) socket.send(bytes, { binary: false });
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.writeHead(500).end());
});
const sockets = new WebSocketServer({ server });
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
