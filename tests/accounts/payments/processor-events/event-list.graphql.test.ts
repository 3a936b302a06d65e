import { beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../../../kit/arrangements.js';
import { deliver, eventOf, processorId } from '../../../kit/payments/payments.js';
import { asAdmin, codeOf, graphql, type Json } from '../../../kit/platform.js';

describe('processorEvents', () => {
  let parked: string;
  let ignored: string;
  beforeAll(async () => {
    const ofPage = eventOf('checkout.session.completed', { id: processorId('cs'), object: 'checkout.session' });
    const ofOtherKind = eventOf('product.created', { id: processorId('prod'), object: 'product' });
    for (const event of [ofPage, ofOtherKind]) await deliver(event);
    [parked, ignored] = [ofPage.id, ofOtherKind.id];
  });

  it.each(['processed', 'ignored', 'parked', 'flagged', 'failed'])('lists only those that are %s', async (status) => {
    const { processorEvents } = await asAdmin(
      `{ processorEvents(status: ${status}, pageSize: 200) { results { id status } } }`,
    );
    const ids = processorEvents.results.map(({ id }: Json) => id);
    expect(processorEvents.results.filter((event: Json) => event.status !== status)).toEqual([]);
    expect({ parked: ids.includes(parked), ignored: ids.includes(ignored) }).toEqual({
      parked: status === 'parked',
      ignored: status === 'ignored',
    });
  });

  it.each(['lost', '"parked"', 'received'])('refuses the state %s', async (status) => {
    const answer = await graphql(`{ processorEvents(status: ${status}) { count } }`, { token: ADMIN_TOKEN });
    expect(codeOf(answer)).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});
