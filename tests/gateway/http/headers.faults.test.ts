import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';

let secure: RunningPlatform;
let plain: RunningPlatform;
beforeAll(async () => {
  [secure, plain] = await Promise.all([startInProcess({ PUBLIC_URL: 'https://cloud.example' }), startInProcess()]);
}, 60_000);
afterAll(() => Promise.all([secure.stop(), plain.stop()]));

describe.each([
  ['a page', '/'],
  ['an answer of the API', '/api/openapi.json'],
  ['a refusal', '/api/nothing'],
])('%s', (_, path) => {
  it('tells browsers to use HTTPS for a year where PUBLIC_URL does', async () => {
    const { headers } = await fetch(`${secure.url}${path}`);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it('says nothing of HTTPS where PUBLIC_URL has none', async () => {
    const { headers } = await fetch(`${plain.url}${path}`);
    expect(headers.get('strict-transport-security')).toBeNull();
  });
});
