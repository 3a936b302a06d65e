import { bytesToHex } from '@noble/hashes/utils.js';
import { encodeAddress, randomAsU8a, sr25519PairFromSeed, sr25519Sign } from '@polkadot/util-crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Archipelago,
  graphql,
  newMnemonic,
  walletOf,
  type PlatformError,
  type Signer,
} from '../../../sdk/src/index.js';
import { platform } from '../../kit/platform.js';

let client: Archipelago;
let apiToken: string;
let substrateAddress: string;
beforeAll(async () => {
  const account = await new Archipelago({ url: platform().url }).signIn(walletOf(newMnemonic()));
  ({ token: apiToken, substrateAddress } = account);
  client = new Archipelago({ url: `${platform().url}/`, token: () => apiToken });
});
afterAll(() => client.close());

const ME = graphql('query { me { substrateAddress creditBalance { balance } } }');
const ADDRESSES = graphql('query { substrateAddresses { results { isVerified } } }');

/** Returns an SS58 address, and what signs with its key. */
function substrateAccount(): Pick<Signer, 'substrateAddress' | 'prove'> {
  const pair = sr25519PairFromSeed(randomAsU8a(32));
  const prove = async (text: string) => `0x${bytesToHex(sr25519Sign(text, pair))}`;
  return { substrateAddress: encodeAddress(pair.publicKey, 42), prove };
}

describe('a client', () => {
  it('signs in with a wallet and reads the account by GraphQL, with types', async () => {
    const { me } = await client.graphql(ME);
    expect(me.substrateAddress).toBe(substrateAddress);
  });

  it.each([
    ['the wallet of a phrase', walletOf(newMnemonic())],
    ['a wallet with another key', { ...walletOf(newMnemonic()), ...substrateAccount() }],
  ])('proves the SS58 address with the signature of its own key: %s', async (_, signer) => {
    const { token } = await new Archipelago({ url: platform().url }).signIn(signer);
    const { substrateAddresses } = await new Archipelago({ url: platform().url, token }).graphql(ADDRESSES);
    expect(substrateAddresses.results).toEqual([{ isVerified: true }]);
  });

  it('asks for another token when the platform refuses one, and sends the request once more', async () => {
    const asked: (string | undefined)[] = [];
    const renewed = new Archipelago({
      url: platform().url,
      token: (refused) => (asked.push(refused), refused === undefined ? 'expired' : apiToken),
    });
    const { me } = await renewed.graphql(ME);
    expect([me.substrateAddress, asked]).toEqual([substrateAddress, [undefined, 'expired']]);
  });

  it('reads the balance by REST, with types', async () => {
    const { data } = await client.rest.GET('/api/billing/credits/balance/');
    expect(data).toMatchObject({ balance: '0' });
  });

  it('sends bodies and reads refusals by REST', async () => {
    const { error, response } = await client.rest.POST('/api/network/groups/', { body: { label: 'NOT A LABEL' } });
    expect([response.status, error]).toEqual([403, { error: expect.any(String) }]);
  });

  it.each([
    ['graphql', 'query { user(substrateAddress: "x") { id } }', 'FORBIDDEN'],
    ['graphql', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
  ])('throws the code of a refusal of %s: %s', async (_api, query, code) => {
    await expect(client.graphql(query)).rejects.toMatchObject({ name: 'PlatformError', code });
  });
});

describe('a request', () => {
  it.each([
    ['GET', 503, 3],
    ['GET', 429, 3],
    ['POST', 429, 3],
    ['POST', 503, 1],
    ['GET', 400, 1],
  ])('%s that is answered with %d is sent %d times at most', async (method, status, expected) => {
    let count = 0;
    const waits: number[] = [];
    const server = createServer((_request, response) => {
      count++;
      response.writeHead(status, { 'retry-after': '7', 'content-type': 'application/json' }).end('{"error":"later"}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const wait = async (milliseconds: number) => void waits.push(milliseconds);
    const busy = new Archipelago({ url: `http://127.0.0.1:${port}`, attempts: 3, wait });
    const { response } =
      method === 'GET'
        ? await busy.rest.GET('/api/billing/credits/balance/')
        : await busy.rest.POST('/api/network/groups/', { body: { label: 'web' } });
    server.close();
    expect([response.status, count, waits]).toEqual([status, expected, Array(expected - 1).fill(7000)]);
  });

  it.each([503, 429, 401])('that is sent again after %d gives the connection of that answer back', async (status) => {
    const answers: ServerResponse[] = [];
    const server = createServer((_request, response) => {
      answers.push(response);
      response.writeHead(answers.length === 1 ? status : 200, { 'content-type': 'application/json' }).write('{');
      // The first answer never ends.
      if (answers.length > 1) response.end('}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // Kept: the garbage collector ends answers that nobody refers to.
    const kept: Response[] = [];
    const again = new Archipelago({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      token: (refused) => (refused === undefined ? 'old' : 'new'),
      fetch: async (...request) => kept[kept.push(await fetch(...request)) - 1] ?? Response.error(),
      wait: async () => undefined,
    });
    try {
      const { response } = await again.rest.GET('/api/billing/credits/balance/');
      const [first] = answers;
      if (first?.closed === false) await once(first, 'close', { signal: AbortSignal.timeout(4_000) });
      expect([response.status, kept.length]).toEqual([200, 2]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('that waits for its next attempt ends when the caller stops it', async () => {
    const stop = new AbortController();
    const refusal = async () => {
      setImmediate(() => stop.abort(new Error('enough')));
      return new Response('{}', { status: 429, headers: { 'retry-after': '100' } });
    };
    const busy = new Archipelago({ url: platform().url, fetch: refusal });
    const request = busy.rest.GET('/api/billing/credits/balance/', { signal: stop.signal });
    await expect(request).rejects.toThrow('enough');
  });

  it.each([
    [404, 'HTTP 404 without an error of the platform: is the address that of the platform?'],
    [200, 'HTTP 200 without an error of the platform: is the address that of the platform?'],
    [502, 'HTTP 502 without an error of the platform: the platform or a proxy before it fails.'],
  ])('that another program answers with a page and %d says so', async (status, message) => {
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Welcome to nginx</h1>');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const other = new Archipelago({ url: `http://127.0.0.1:${port}`, attempts: 1 });
    await expect(other.graphql('{ me { id } }')).rejects.toMatchObject({ message, status });
    await expect(other.signIn(walletOf(newMnemonic()))).rejects.toMatchObject({ message, status });
    server.close();
  });

  it.each([
    ['a query', (other: Archipelago) => other.graphql('{ me { id } }'), { me: { id: 7 } }],
    ['a mutation', (other: Archipelago) => other.graphql('mutation { deleteMe { id } }'), 'NETWORK'],
    [
      'REST',
      async ({ rest }: Archipelago) => (await rest.GET('/api/billing/credits/balance/')).data,
      { data: { me: { id: 7 } } },
    ],
  ])('whose answer is cut off is repeated where it may be: %s', async (_kind, send, expected) => {
    let isCut = true;
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).write('{"data":{"me":');
      if (isCut) setImmediate(() => response.destroy());
      else response.end('{"id":7}}}');
      isCut = false;
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const result = send(new Archipelago({ url, wait: async () => undefined }));
    expect(await result.catch(({ code }: PlatformError) => code)).toEqual(expected);
    server.close();
  });

  it('by REST has the path of an address with a default port', async () => {
    const urls: string[] = [];
    const answer = (url: unknown) => {
      urls.push(String(url));
      return Promise.resolve(Response.json({}));
    };
    for (const url of ['http://cloud.example:80/', 'https://BÜCHER.example:443'])
      await new Archipelago({ url, fetch: answer }).rest.GET('/api/billing/credits/balance/');
    expect(urls.map((url) => new URL(url).href)).toEqual([
      'http://cloud.example/api/billing/credits/balance/',
      'https://xn--bcher-kva.example/api/billing/credits/balance/',
    ]);
  });

  it('by REST has no body for GET in browsers whose requests do not show theirs', async () => {
    const bodies: unknown[] = [];
    const answer = (_url: unknown, init?: RequestInit) => {
      bodies.push(init?.body);
      return Promise.resolve(Response.json({}));
    };
    const { rest } = new Archipelago({ url: 'http://cloud.example', fetch: answer });
    const shown = Object.getOwnPropertyDescriptor(Request.prototype, 'body') ?? {};
    Object.defineProperty(Request.prototype, 'body', { get: () => undefined, configurable: true }); // Firefox has none
    try {
      await rest.GET('/api/billing/credits/balance/');
      await rest.POST('/api/network/groups/', { body: { label: 'web' } });
    } finally {
      Object.defineProperty(Request.prototype, 'body', shown);
    }
    expect(bodies).toEqual([undefined, new TextEncoder().encode('{"label":"web"}').buffer]);
  });

  it('to a platform that is away says so', async () => {
    const away = new Archipelago({ url: 'http://127.0.0.1:9', attempts: 1 });
    await expect(away.graphql('{ me { id } }')).rejects.toMatchObject({ code: 'NETWORK' });
  });
});
