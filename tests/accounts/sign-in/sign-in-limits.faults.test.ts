import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { RunningPlatform } from '../../kit/arrangements.js';
import { startOnDatabase } from '../../kit/database/own-database.js';
import { codeOf, graphql } from '../../kit/platform.js';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

const PAIR = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  substrate_address: '5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8',
};

/** A verification that is well formed and wrong, out of one of the loopback's many addresses. */
function verify(url: string, localAddress: string, forwarded?: string): Promise<Answer> {
  return send(`${url}/api/auth/verify/`, { ...PAIR, signature: `0x${'11'.repeat(64)}1b` }, { localAddress, forwarded });
}

/** Asks for a challenge, out of one of these addresses. */
function ask(url: string, localAddress: string, forwarded?: string): Promise<Answer> {
  return send(`${url}/api/auth/mnemonic/`, PAIR, { localAddress, forwarded });
}

async function send(
  url: string,
  body: object,
  { localAddress, forwarded }: { localAddress: string; forwarded: string | undefined },
): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(forwarded && { 'x-forwarded-for': forwarded }) };
  const sent = request(url, { method: 'POST', localAddress, headers, agent: false });
  sent.end(JSON.stringify(body));
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
    const fields = `address: "${PAIR.address}", substrateAddress: "${PAIR.substrate_address}", signature: "0x11"`;
    const query = `mutation { signIn(${fields}) { token } }`;
    expect(codeOf(await graphql(query, { url: platform.url }))).toBe('RATE_LIMITED');
  }, 120_000);
});

describe('challenges from one address', () => {
  const counted = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 429).length;

  it('are four times as many as verifications: clients try again up to three times', async () => {
    const allowed = await times(120, () => ask(platform.url, '127.0.0.4'));
    const next = await ask(platform.url, '127.0.0.4');
    const waitS = Number(next.headers['retry-after']);
    expect({
      allowed: new Set(allowed.map(({ status }) => status)),
      next: next.status,
      wait: waitS >= 1 && waitS <= 60,
    }).toEqual({ allowed: new Set([200]), next: 429, wait: true });
  }, 120_000);

  it('do not hold up other addresses, nor verifications', async () => {
    await times(121, () => ask(platform.url, '127.0.0.5'));
    const [other, verification] = [await ask(platform.url, '127.0.0.6'), await verify(platform.url, '127.0.0.5')];
    expect([other.status, verification.status]).toEqual([200, 401]);
  }, 120_000);

  it('are counted together within a /64 of IPv6, and apart from the next', async () => {
    let made = 0;
    const within = await times(121, () => ask(platform.url, '127.0.0.9', `2001:db8:0:7::${(made += 1).toString(16)}`));
    const beside = await ask(platform.url, '127.0.0.9', '2001:db8:0:8::1');
    expect([counted(within), beside.status]).toEqual([1, 200]);
  }, 120_000);

  it('are counted for GraphQL too', async () => {
    await times(121, () => ask(platform.url, '127.0.0.1'));
    const query = `mutation { requestChallenge(address: "${PAIR.address}", substrateAddress: "${PAIR.substrate_address}") { challenge } }`;
    expect(codeOf(await graphql(query, { url: platform.url }))).toBe('RATE_LIMITED');
  }, 120_000);
});

describe('starts of social sign-ins from one address', () => {
  it('are as many as challenges; then 429 says when to try again', async () => {
    const start = async () => {
      const { status, headers } = await fetch(`${platform.url}/accounts/nobody/login/?next=/`);
      return { status, waits: Number(headers.get('retry-after')) > 0 };
    };
    const allowed = await times(120, start);
    expect({ allowed: new Set(allowed.map(({ status }) => status)), next: await start() }).toEqual({
      allowed: new Set([404]),
      next: { status: 429, waits: true },
    });
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
