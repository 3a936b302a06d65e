import { afterEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { openMailer } from '../../../subgraphs/accounts/notifications/email/mailer.js';
import { until } from '../../kit/watch.js';

const EMAIL = { to: 'user@mail.example', id: 'one', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

let server: Server;
let timer: NodeJS.Timeout | undefined;
afterEach(() => {
  clearInterval(timer);
  server.close();
});

/** A server that greets, and adds a line to its next answer again and again, without an end. */
function drip(socket: Socket): void {
  socket.on('error', () => undefined).write('220 mail.example\r\n');
  timer = setInterval(() => socket.write('250-mail.example\r\n'), 20);
}

it('an attempt to send an e-mail has a time limit, also while the server goes on answering', async () => {
  server = createServer(drip).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connected = once(server, 'connection');
  const mailer = await openMailer(
    { url: `smtp://127.0.0.1:${port}`, from: 'cloud@mail.example' },
    'https://cloud.example',
    500,
  );
  const error = await mailer.send(EMAIL).catch((failure: unknown) => failure);
  expect(String((error as Error).cause ?? error)).toMatch(/abort|timeout/i);
  const [socket] = (await connected) as [Socket];
  await until(async () => socket.closed);
});
