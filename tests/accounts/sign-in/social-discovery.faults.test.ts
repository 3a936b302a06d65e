import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { Providers } from '../../../subgraphs/accounts/sign-in/social/providers.js';
import { freePort } from '../../kit/arrangements.js';
import type { Json } from '../../kit/platform.js';

const NOON = new Date('2026-01-01T12:00:00Z');
const LOGIN = { codeVerifier: 'x'.repeat(43), nonce: 'y', redirectUri: 'http://localhost/', state: 'z' };

it('a sign-in provider that cannot be discovered is UNAVAILABLE for all who wait, and logged once with its name', async () => {
  const lines: Json[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const providers = new Providers(
    new Map([['gone', { issuer, clientId: 'archipelago', clientSecret: undefined, scope: 'openid' }]]),
  );
  const start = () => providers.authorizationUrl('gone', LOGIN, { now: () => NOON, log });
  const [first, second] = await Promise.allSettled([start(), start()]);
  const refused = { status: 'rejected', reason: { extensions: { code: 'UNAVAILABLE' } } };
  expect({ first, second, lines }).toMatchObject({
    first: refused,
    second: refused,
    lines: [{ provider: 'gone', err: { message: expect.any(String), stack: expect.stringContaining('ECONNREFUSED') } }],
  });
});
