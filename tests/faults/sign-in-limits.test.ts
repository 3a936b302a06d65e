import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { RunningPlatform } from '../kit/arrangements.js';
import { startOnDatabase } from '../kit/own-database.js';

interface Verification {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** A verification that is well formed and wrong, out of one of the loopback's many addresses. */
async function verify(url: string, localAddress: string, forwarded?: string): Promise<Verification> {
  const body = JSON.stringify({
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    substrate_address: '5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8',
    signature: `0x${'11'.repeat(64)}1b`,
  });
  const headers = { 'content-type': 'application/json', ...(forwarded && { 'x-forwarded-for': forwarded }) };
  const sent = request(`${url}/api/auth/verify/`, { method: 'POST', localAddress, headers, agent: false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode ?? 0, headers: response.headers };
}

const times = <Result>(count: number, work: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, work));

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await startOnDatabase({ VERIFICATIONS_PER_MINUTE: '', TRUSTED_PROXIES: '127.0.0.9, 10.0.0.0/8' });
}, 120_000);
afterAll(async () => {
  await platform.stop();
});

describe('verifications from one address', () => {
  it('are thirty a minute; then 429 says when to try again, and other addresses are not held up', async () => {
    const thirty = await times(30, () => verify(platform.url, '127.0.0.1'));
    const next = await verify(platform.url, '127.0.0.1');
    const other = await verify(platform.url, '127.0.0.2');
    const waitS = Number(next.headers['retry-after']);
    expect({
      thirty: new Set(thirty.map(({ status }) => status)),
      next: next.status,
      wait: waitS >= 1 && waitS <= 60,
      other: other.status,
    }).toEqual({ thirty: new Set([401]), next: 429, wait: true, other: 401 });
  }, 120_000);

  it('are counted for GraphQL too', async () => {
    await times(31, () => verify(platform.url, '127.0.0.1'));
    const fields = `address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", substrateAddress: "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8", signature: "0x11"`;
    const query = `mutation { signIn(${fields}) { token } }`;
    const response = await fetch(`${platform.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
    expect(errors[0]?.extensions.code).toBe('RATE_LIMITED');
  }, 120_000);
});

describe('X-Forwarded-For', () => {
  it('of a client is not believed', async () => {
    let made = 0;
    const forged = await times(31, () => verify(platform.url, '127.0.0.3', `203.0.113.${(made += 1)}`));
    expect(forged.filter(({ status }) => status === 429)).toHaveLength(1);
  }, 120_000);

  it('of a trusted proxy is: each client behind it has a count of its own', async () => {
    const one = await times(31, () => verify(platform.url, '127.0.0.9', '203.0.113.200, 10.1.2.3'));
    const other = await verify(platform.url, '127.0.0.9', '203.0.113.201');
    expect([one.filter(({ status }) => status === 429).length, other.status]).toEqual([1, 401]);
  }, 120_000);

  it('is believed as far as the proxies reach, not what clients wrote before', async () => {
    let made = 0;
    const forged = await times(31, () => verify(platform.url, '127.0.0.9', `198.51.100.${(made += 1)}, 203.0.113.202`));
    expect(forged.filter(({ status }) => status === 429)).toHaveLength(1);
  }, 120_000);
});
