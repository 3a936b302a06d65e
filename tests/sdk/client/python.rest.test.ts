import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { blake3 } from '@noble/hashes/blake3.js';
import { newMnemonic, walletOf } from '../../../sdk/src/index.js';
import { sayExpected } from '../../kit/expected-lines.js';
import { manifestOf } from '../../kit/files/sync.js';
import { HAS_PYTHON, python } from '../../kit/programs/python.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
beforeAll(async () => {
  user = await signIn();
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Starts a server that ends with the test. Returns its address. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const sentences = () => {
  it('reads by REST and by GraphQL with one token', async () => {
    const statements =
      'result = [client.own_credit_balance()["balance"], client.graphql("{ me { substrateAddress } }")]';
    expect(await python(statements, { token: user.token })).toEqual([
      '0',
      { me: { substrateAddress: user.substrateAddress } },
    ]);
  });

  it('signs in with a wallet, and proves its SS58 address', async () => {
    const wallet = walletOf(newMnemonic());
    const signer = await listen((request, response) => {
      const prove = request.url === '/sign' ? wallet.sign : wallet.prove;
      void text(request)
        .then((message) => prove?.(message))
        .then((signature) => response.end(signature));
    });
    const statements = `
from urllib.request import urlopen
def at(path): return lambda message: urlopen(given["signer"] + path, message.encode()).read().decode()
account = client.sign_in_with_wallet(given["address"], given["substrateAddress"], at("/sign"), prove=at("/prove"))
result = client.graphql("{ substrateAddresses { results { address isVerified } } }")`;
    const { substrateAddresses } = await python(statements, { ...wallet, signer });
    expect(substrateAddresses.results).toEqual([{ address: wallet.substrateAddress, isVerified: true }]);
  });

  it('is refused with a signature of another key', async () => {
    const statements = `
try: client.sign_in_with_wallet(given["address"], given["substrate"], lambda message: "0x" + "00" * 65)
except PlatformError as error: result = [error.status, str(error)]`;
    const given = { address: user.wallet.address, substrate: user.substrateAddress };
    expect(await python(statements, given)).toEqual([401, expect.any(String)]);
  });

  it('tells the status, the code and the sentence of a refusal', async () => {
    const statements = `
result = []
for call in (lambda: client.list_folders("nobody"), lambda: client.graphql("{ nothing }"), lambda: client.create_group({"label": "web"})):
    try: call()
    except PlatformError as error: result.append([error.status, error.code, len(str(error)) > 5])`;
    expect(await python(statements, { token: user.token })).toEqual([
      [403, 'forbidden', true],
      [null, 'GRAPHQL_VALIDATION_FAILED', true],
      [403, null, true],
    ]);
  });

  it('uploads a file in one request and downloads it as bytes', async () => {
    const bytes = Buffer.from('ciphertext');
    const manifest = manifestOf(user, 'python.txt', bytes);
    const statements = `
client.upload_file(Form(manifest=given["manifest"], ciphertext=b"ciphertext"))
result = client.download(given["owner"], given["manifest"]["folder_hash"], given["id"]).decode()`;
    const id = Buffer.from(blake3(Buffer.from('python.txt'))).toString('hex');
    expect(await python(statements, { token: user.token, manifest, owner: user.substrateAddress, id })).toBe(
      'ciphertext',
    );
  });

  it('waits as long as a busy platform asks for', async () => {
    let count = 0;
    const url = await listen((_request, response) => {
      count++;
      const headers = { 'retry-after': '7', 'content-type': 'application/json' };
      if (count < 3) response.writeHead(503, headers).end('{"error":"later"}');
      else response.writeHead(200, headers).end('{"balance":"1"}');
    });
    const result = await python('result = [client.own_credit_balance()["balance"], waits]', {}, url);
    expect(result).toEqual(['1', [7, 7]]);
  });

  it.each([
    ['a redirect', 301, 'text/html', 'is the address that of the platform?'],
    ['a page', 200, 'text/html; charset=utf-8', 'is the address that of the platform?'],
    ['no JSON', 200, 'application/json', 'is the address that of the platform?'],
    ['a page of a proxy', 502, 'text/html', 'the platform or a proxy before it fails.'],
  ])('is refused when another program answers with %s', async (_, status, kind, cause) => {
    const url = await listen((_request, response) => {
      response.writeHead(status, { 'content-type': kind, location: '/elsewhere' }).end('<h1>Welcome to nginx</h1>');
    });
    const statements = `
result = []
for call in (lambda: client.own_credit_balance(), lambda: client.download("a", "b", "c"), lambda: client.graphql("{ me { id } }")):
    try: result.append(call())
    except PlatformError as error: result.append([error.status, str(error)])`;
    const refusal = [status, `HTTP ${status} without an error of the platform: ${cause}`];
    expect(await python(statements, {}, url)).toEqual([refusal, refusal, refusal]);
  });

  it('is refused when another program answers a document with JSON', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    });
    const statements = `
try: client.graphql("{ me { id } }")
except PlatformError as error: result = error.status`;
    expect(await python(statements, {}, url)).toBe(200);
  });

  it.each(['two\nlines', 'a token', 't\u00f6ken', ''])('refuses the token %j without showing it', async (token) => {
    const statements = `
try: client.own_credit_balance()
except PlatformError as error: result = [error.status, error.code, str(error)]`;
    expect(await python(statements, { token })).toEqual([
      401,
      'UNAUTHENTICATED',
      'The token has characters that no token has.',
    ]);
  });

  it('filters by what is true or false', async () => {
    const statements = 'result = [client.models(mine=is_mine)["results"] for is_mine in (True, False)]';
    expect(await python(statements, { token: user.token })).toEqual([[], expect.any(Array)]);
  });
};

if (HAS_PYTHON) describe('the Python client', sentences);
else
  it('the Python client is not tried without python3', () => {
    sayExpected('python3 is not installed: the Python client is not tried');
  });
