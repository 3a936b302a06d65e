import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Archipelago, SignedIn } from '../sdk/src/index.js';
import { UsageError } from './failure.js';

/** Signs in with a social provider: prints the address to open, waits for the browser to come back with a code. */
export async function signInWithBrowser(client: Archipelago, url: string, provider: string): Promise<SignedIn> {
  const state = randomUUID();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const callback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback?state=${state}`;
    const next = `/get-token/?callback_url=${encodeURIComponent(callback)}`;
    process.stderr.write(`Open ${url}/accounts/${provider}/login/?next=${encodeURIComponent(next)}\n`);
    const code = await new Promise<string>((resolve, reject) => {
      server.on('request', ({ url: path = '/' }, response) => {
        const query = new URL(path, 'http://127.0.0.1').searchParams;
        if (query.get('state') !== state) {
          response.writeHead(404).end();
          return;
        }
        response.setHeader('content-type', 'text/plain').end('You can close this window.\n');
        const received = query.get('code');
        if (received === null) reject(new UsageError(query.get('error') ?? 'The browser came back without a code.'));
        else resolve(received);
      });
    });
    return await client.exchangeCode(code, provider);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
