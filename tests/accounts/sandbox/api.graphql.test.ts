import { describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, PAYMENTS } from '../../kit/arrangements.js';
import { call, graphql } from '../../kit/platform.js';
import { stripeClient } from '../../kit/payments/sandbox.js';

const stripe = stripeClient();

describe('the catalogue of the sandbox', () => {
  it('has monthly and yearly prices that say their credits', async () => {
    const prices = await stripe.prices.list({ active: true, type: 'recurring', expand: ['data.product'] });
    const plans = prices.data.map(({ product, unit_amount, recurring, metadata }) => ({
      name: typeof product === 'object' && 'name' in product ? product.name : product,
      unit_amount,
      interval: recurring?.interval,
      credits: metadata.credits_per_billing,
    }));
    expect(plans).toEqual(
      expect.arrayContaining([
        { name: 'Starter', unit_amount: 1_000, interval: 'month', credits: '10' },
        { name: 'Plus', unit_amount: 2_000, interval: 'month', credits: '21' },
        { name: 'Pro', unit_amount: 5_000, interval: 'month', credits: '55' },
        { name: 'Pro yearly', unit_amount: 50_000, interval: 'year', credits: '660' },
      ]),
    );
  });

  it('answers a product and a price by id', async () => {
    const price = await stripe.prices.retrieve('price_SandboxPlusMonth00001', { expand: ['product'] });
    expect(price).toMatchObject({ unit_amount: 2_000, product: { id: 'prod_SandboxPlus0001', name: 'Plus' } });
    expect(await stripe.products.retrieve('prod_SandboxPlus0001')).toMatchObject({ name: 'Plus', active: true });
  });
});

describe('the API of the sandbox', () => {
  it('refuses an unknown id as the processor does', async () => {
    await expect(stripe.customers.retrieve('cus_00000000000000')).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      code: 'resource_missing',
      statusCode: 404,
      param: 'id',
      message: "No such customer: 'cus_00000000000000'",
    });
  });

  it.each(['%00', '..%2F', 'x'.repeat(300)])('knows no customer with the id %s', async (id) => {
    const { status, body } = await call(`GET /sandbox/v1/customers/${id}`, {
      headers: { authorization: `Bearer ${PAYMENTS.PAYPROC_SECRET_KEY}` },
    });
    expect({ status, type: body.error.type }).toEqual({ status: 404, type: 'invalid_request_error' });
  });

  it('is reached through its own endpoint only, not through the composed API', async () => {
    const query =
      'mutation { exchangeWithSandbox(method: "GET", path: "/v1/products", query: "", body: "") { status } }';
    const { errors } = await graphql(query, { token: ADMIN_TOKEN });
    expect(errors[0].message).toContain('exchangeWithSandbox');
  });

  it('refuses another key than its own', async () => {
    await expect(stripeClient('sk_test_another').products.list()).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
      statusCode: 401,
    });
  });

  it('answers the same to the same key and refuses the key for anything else', async () => {
    const idempotencyKey = crypto.randomUUID();
    const create = (email: string) => stripe.customers.create({ email }, { idempotencyKey });
    const [first, second] = await Promise.all([create('a@example.com'), create('a@example.com')]);
    expect(second.id).toBe(first.id);
    await expect(create('b@example.com')).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
  });
});
