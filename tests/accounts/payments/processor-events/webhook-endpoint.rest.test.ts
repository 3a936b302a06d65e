import { describe, expect, it } from '@jest/globals';
import { call } from '../../../kit/platform.js';

describe('a webhook', () => {
  const WEBHOOK = 'POST /api/billing/payproc/webhook/';

  it.each([undefined, ''])('with the body %j is refused in words of the request', async (rawBody) => {
    const { status, body } = await call(WEBHOOK, rawBody === undefined ? {} : { rawBody });
    expect({ status, body }).toEqual({ status: 400, body: { error: 'The body is required.' } });
  });

  it.each(['\0', '{"a": "\0"}'])('that cannot be kept is refused in words of the request: %j', async (rawBody) => {
    const { status, body } = await call(WEBHOOK, { rawBody, headers: { 'stripe-signature': 't=1,v1=x' } });
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: expect.stringMatching(/^The body must not contain/) },
    });
  });

  it('without a signature is refused in words of the request', async () => {
    const { status, body } = await call(WEBHOOK, { rawBody: '{}' });
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.not.stringMatching(/payload/) } });
  });
});
