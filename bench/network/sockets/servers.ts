import { on, EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { buildSchema } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { SCHEMA } from './schema.js';

/**
 * Serves the schema of the sockets. `POST /send` sends its body as an event to all subscribers, `GET /` returns their
 * number. Arguments: `source`, a subgraph by server-sent events, or `stock`, graphql-ws with graphql-js; the port.
 */
const [way = '', port = ''] = process.argv.slice(2);
const events = new EventEmitter().setMaxListeners(0);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') return void response.end(`${events.listenerCount('added')}`);
  const body = await text(request);
  if (request.url === '/send') return void (response.end(), events.emit('added', body));
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
  const send = (value: string) =>
    response.write(`event: next\ndata: ${JSON.stringify({ data: { added: value } })}\n\n`);
  events.on('added', send);
  response.once('close', () => events.off('added', send));
}

async function* added(): AsyncGenerator<{ readonly added: string }> {
  for await (const [value] of on(events, 'added')) yield { added: value as string };
}

const server = createServer((request, response) => void answer(request, response));
if (way === 'stock')
  useServer({ schema: buildSchema(SCHEMA), roots: { subscription: { added } } }, new WebSocketServer({ server }));
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
