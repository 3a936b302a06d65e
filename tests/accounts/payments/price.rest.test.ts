import { beforeAll, describe, expect, it } from '@jest/globals';
import { asAdmin, call } from '../../kit/platform.js';
import { ISO_TIME } from '../../kit/rest/rest-checks.js';

describe('GET /billing/latest-tao-price/', () => {
  beforeAll(async () => {
    await asAdmin('mutation { adminRecordTokenPrice(priceUsd: "412.25", blockNumber: 4000000) { priceUsd } }');
  });

  it.each(['GET /api/billing/latest-tao-price/', 'GET /api/billing/latest-tao-price'])(
    'answers the documented fields to anyone at %s',
    async (target) => {
      const { status, body } = await call(target);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          price_usd: expect.stringMatching(/^\d+(\.\d+)?$/),
          block_number: expect.any(Number),
          created_at: expect.stringMatching(ISO_TIME),
        },
      });
    },
  );

  it.each(['Token nonsense', 'Basic x', ''])('looks at no Authorization header: "%s"', async (authorization) => {
    const { status } = await call('GET /api/billing/latest-tao-price', { headers: { authorization } });
    expect(status).toBe(200);
  });
});
