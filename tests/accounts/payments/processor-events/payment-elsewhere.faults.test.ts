import { afterAll, beforeAll, describe } from '@jest/globals';
import { PAYMENTS, type RunningPlatform } from '../../../kit/arrangements.js';
import { startOnDatabase } from '../../../kit/database/own-database.js';
import { describePayments } from '../../../kit/payments/payment-cases.js';
import { describeRepeats } from '../../../kit/payments/repeat-cases.js';
import { Shopper } from '../../../kit/payments/processor.js';

let shop: RunningPlatform;
let processor: RunningPlatform;
beforeAll(async () => {
  processor = await startOnDatabase();
  shop = await startOnDatabase({ PAYPROC: 'stripe', PAYPROC_API_URL: `${processor.url}/sandbox` });
  await new Shopper({ url: shop.url, sandboxUrl: processor.url }).deliverBy({});
}, 60_000);
afterAll(async () => {
  await shop.stop();
  await processor.stop();
});

describe(`with the processor of ${PAYMENTS.PAYPROC} at another address, below a path`, () => {
  describePayments(() => ({ url: shop.url, sandboxUrl: processor.url }));
  describeRepeats(() => ({ url: shop.url, sandboxUrl: processor.url }));
});
