import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { graphql, type Archipelago, type SignedIn } from '../sdk/src/index.js';
import { UsageError } from './failure.js';

const PROVIDERS = graphql('{ signInProviders }');
const WAIT_MINUTES = 5;

interface BrowserSignIn {
  /** Address of the platform. */
  readonly url: string;
  /** Name of the provider, such as `google`. */
  readonly provider: string;
  /** Shows a line to the person who signs in. */
  readonly print: (line: string) => void;
  /** Waits for the end of the time to sign in, in milliseconds. */
  readonly wait?: typeof delay;
}

/**
 * Signs in with a social provider: prints the address to open, waits for the browser to come back with a code.
 * @throws UsageError for a provider that the platform does not have, Error when nobody signs in within five minutes
 */
export async function signInWithBrowser(
  client: Archipelago,
  { url, provider, print, wait = delay }: BrowserSignIn,
): Promise<SignedIn> {
  const { signInProviders: names } = await client.graphql(PROVIDERS);
  if (!names.includes(provider))
    throw new UsageError(`The platform has no provider "${provider}": it has ${names.join(', ') || 'none'}.`);
  const state = randomUUID();
  const end = new AbortController();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const callback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback?state=${state}`;
    const next = `/get-token/?callback_url=${encodeURIComponent(callback)}`;
    print(`Open ${url}/accounts/${provider}/login/?next=${encodeURIComponent(next)}`);
    const tooLate = wait(WAIT_MINUTES * 60_000, undefined, { signal: end.signal }).then(() => {
      throw new Error(`Nobody signed in within ${WAIT_MINUTES} minutes.`);
    });
    const code = await Promise.race([codeFor(state, server), tooLate]);
    return await client.exchangeCode(code, provider);
  } finally {
    end.abort();
    server.closeAllConnections();
    server.close();
  }
}

/** Waits for a request with this state; resolves with its code. */
function codeFor(state: string, server: Server): Promise<string> {
  return new Promise<string>((resolve, reject) => {
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
}
