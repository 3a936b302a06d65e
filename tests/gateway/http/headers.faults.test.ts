import { describe, expect, it } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../../gateway/app.js';
import { openLog } from '../../../kernel/telemetry/log.js';

async function headersOf(path: string, isHttpsOnly: boolean): Promise<Headers> {
  const app = await createApp(openLog('silent', 'tests'), undefined, { isHttpsOnly });
  try {
    app.get('/', () => ({}));
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    return (await fetch(`http://127.0.0.1:${port}${path}`)).headers;
  } finally {
    await app.close();
  }
}

describe('an answer', () => {
  it.each([
    ['an answer', '/'],
    ['a refusal', '/nothing'],
  ])('tells browsers to use HTTPS for a year where PUBLIC_URL does, as %s', async (_, path) => {
    expect((await headersOf(path, true)).get('strict-transport-security')).toBe('max-age=31536000');
  });

  it('says nothing of HTTPS where PUBLIC_URL has none', async () => {
    expect((await headersOf('/', false)).get('strict-transport-security')).toBeNull();
  });
});
