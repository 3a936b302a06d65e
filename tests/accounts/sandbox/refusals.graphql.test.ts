import { beforeAll, describe, expect, it } from '@jest/globals';
import { addCustomer } from '../../kit/payments/payments.js';
import { stripeClient } from '../../kit/payments/sandbox.js';

const stripe = stripeClient();

let product: string;
beforeAll(async () => {
  ({ id: product } = await stripe.products.create({ name: 'Of the tests' }));
});

/** Adds a price that is good but for these fields. */
const addPrice = (fields: object) =>
  stripe.prices.create({
    product,
    currency: 'usd',
    unit_amount: 1500,
    recurring: { interval: 'month' },
    ...fields,
  });

describe('a price of the sandbox', () => {
  it.each([
    [{ currency: 'JPY' }, { currency: 'jpy', unit_amount: 1500, type: 'recurring' }],
    [{ unit_amount: 0 }, { unit_amount: 0 }],
    [{ recurring: undefined }, { type: 'one_time', recurring: null }],
    [{ recurring: { interval: 'year', interval_count: 3 } }, { recurring: { interval: 'year', interval_count: 3 } }],
    [{ recurring: { interval: 'day', interval_count: 1095 } }, { recurring: { interval: 'day' } }],
  ])('is added with %j', async (fields, expected) => {
    expect(await addPrice(fields)).toMatchObject({ product, active: true, ...expected });
  });

  it.each([
    [{ currency: 'gold' }, 'currency'],
    [{ currency: 'zzz' }, 'currency'],
    [{ currency: '' }, 'currency'],
    [{ currency: undefined }, 'currency'],
    [{ currency: '\u{1F4B0}' }, 'currency'],
    [{ unit_amount: -1 }, 'unit_amount'],
    [{ unit_amount: 12.5 }, 'unit_amount'],
    [{ unit_amount: 'many' }, 'unit_amount'],
    [{ unit_amount: '1e3' }, 'unit_amount'],
    [{ unit_amount: 10_000_000_000_000 }, 'unit_amount'],
    [{ unit_amount: undefined }, 'unit_amount'],
    [{ recurring: { interval: 'decade' } }, 'recurring[interval]'],
    [{ recurring: { interval: 'Month' } }, 'recurring[interval]'],
    [{ recurring: { interval_count: 2 } }, 'recurring[interval]'],
    [{ recurring: { interval: 'month', interval_count: 0 } }, 'recurring[interval_count]'],
    [{ recurring: { interval: 'month', interval_count: 37 } }, 'recurring[interval_count]'],
    [{ recurring: { interval: 'year', interval_count: 4 } }, 'recurring[interval_count]'],
    [{ recurring: { interval: 'day', interval_count: 1.5 } }, 'recurring[interval_count]'],
    [{ product: 'prod_none' }, 'product'],
    [{ product: '' }, 'product'],
    [{ product: undefined }, 'product'],
  ])('is refused with %j, naming the parameter', async (fields, param) => {
    await expect(addPrice(fields)).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
      param,
      message: expect.stringMatching(/\S/),
    });
  });

  it('of an unknown product says so as the processor does', async () => {
    await expect(addPrice({ product: 'prod_none' })).rejects.toMatchObject({
      code: 'resource_missing',
      message: "No such product: 'prod_none'",
    });
  });

  it('that is refused is not added', async () => {
    const { id } = await stripe.products.create({ name: 'Without a price' });
    await expect(addPrice({ product: id, currency: 'gold' })).rejects.toMatchObject({ statusCode: 400 });
    expect((await stripe.prices.list({ product: id })).data).toEqual([]);
  });
});

describe('an address to come back to', () => {
  it.each(['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x', 'here', '/billing'])(
    'is refused by the sandbox also in the portal: %s',
    async (return_url) => {
      const customer = await addCustomer();
      await expect(stripe.billingPortal.sessions.create({ customer, return_url })).rejects.toMatchObject({
        statusCode: 400,
        code: 'url_invalid',
        param: 'return_url',
      });
    },
  );
});
