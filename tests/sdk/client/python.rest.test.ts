import { beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
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
    const signer = createServer((request, response) => {
      const prove = request.url === '/sign' ? wallet.sign : wallet.prove;
      void text(request)
        .then((message) => prove?.(message))
        .then((signature) => response.end(signature));
    }).listen(0, '127.0.0.1');
    await once(signer, 'listening');
    const statements = `
from urllib.request import urlopen
def at(path): return lambda message: urlopen(given["signer"] + path, message.encode()).read().decode()
account = client.sign_in_with_wallet(given["address"], given["substrateAddress"], at("/sign"), prove=at("/prove"))
result = client.graphql("{ substrateAddresses { results { address isVerified } } }")`;
    const signerUrl = `http://127.0.0.1:${(signer.address() as AddressInfo).port}`;
    const { substrateAddresses } = await python(statements, { ...wallet, signer: signerUrl });
    signer.close();
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
    const server = createServer((_request, response) => {
      count++;
      const headers = { 'retry-after': '7', 'content-type': 'application/json' };
      if (count < 3) response.writeHead(503, headers).end('{"error":"later"}');
      else response.writeHead(200, headers).end('{"balance":"1"}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const result = await python('result = [client.own_credit_balance()["balance"], waits]', {}, url);
    server.close();
    expect(result).toEqual(['1', [7, 7]]);
  });
};

if (HAS_PYTHON) describe('the Python client', sentences);
else
  it('the Python client is not tried without python3', () => {
    sayExpected('python3 is not installed: the Python client is not tried');
  });
