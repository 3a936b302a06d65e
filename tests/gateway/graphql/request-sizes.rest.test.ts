import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, codeOf, platform, type Json } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const KIB = 1024;

let user: SignedIn;
beforeAll(async () => {
  user = await signIn();
});

/** A request whose variables have so many bytes. */
const requestOf = (bytes: number) => ({
  query: 'query ($t: String!) { verifyToken(token: $t) { valid } }',
  variables: { t: 'x'.repeat(bytes) },
});
const post = async (body: object, token?: string): Promise<{ status: number; code: string | undefined }> => {
  const reply = await call('POST /graphql', { body, ...(token !== undefined && { token }) });
  return { status: reply.status, code: codeOf(reply.body) };
};
const TOO_LARGE = { status: 413, code: 'PAYLOAD_TOO_LARGE' };

describe('a GraphQL request', () => {
  it('of a signed-in user may have variables of nearly 2 MiB, and no more', async () => {
    expect((await post(requestOf(2_000 * KIB), user.token)).status).not.toBe(413);
    expect(await post(requestOf(2_048 * KIB), user.token)).toEqual(TOO_LARGE);
  });

  it('of nobody may have 100 KiB, also when it does not say how much comes', async () => {
    expect((await post(requestOf(90 * KIB))).status).not.toBe(413);
    expect(await post(requestOf(100 * KIB))).toEqual(TOO_LARGE);
    const chunked = await fetch(`${platform().url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([JSON.stringify(requestOf(100 * KIB))]).stream(),
      duplex: 'half',
    });
    expect({ status: chunked.status, code: codeOf((await chunked.json()) as Json) }).toEqual(TOO_LARGE);
  });

  it('has a document of 100 KiB at most', async () => {
    const long = { query: `{ __typename } #${'x'.repeat(100 * KIB)}` };
    expect(await post(long, user.token)).toEqual(TOO_LARGE);
  });
});
