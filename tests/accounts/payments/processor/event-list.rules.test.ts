import { describe, expect, it } from '@jest/globals';
import { Stripe } from 'stripe';
import { CircuitBreaker } from '../../../../subgraphs/accounts/payments/processor/circuit-breaker.js';
import { StripeProcessor } from '../../../../subgraphs/accounts/payments/processor/stripe-processor.js';

const COUNT = 10_150;

/** A processor with this many events, which lists the newest first in pages. */
const list: typeof fetch = async (target) => {
  const { searchParams } = new URL(target instanceof Request ? target.url : target);
  const [, last = COUNT + 1] = /^evt_(\d+)$/.exec(searchParams.get('starting_after') ?? '') ?? [];
  const size = Math.min(Number(searchParams.get('limit')), Number(last) - 1);
  const data = Array.from({ length: size }, (_, at) => ({
    id: `evt_${Number(last) - 1 - at}`,
    object: 'event',
    type: 'charge.refunded',
    created: Number(last) - 1 - at,
  }));
  return Response.json({ object: 'list', url: '/v1/events', data, has_more: size < Number(last) - 1 });
};

describe('the events of the processor', () => {
  it('are all read, however many there are', async () => {
    const stripe = new Stripe('sk_test_1', { httpClient: Stripe.createFetchHttpClient(list) });
    const webhookSecrets = async () => [];
    const now = () => new Date();
    const processor = new StripeProcessor({
      stripe,
      webhookSecrets,
      circuitBreaker: new CircuitBreaker(),
      now,
      log: console,
    });
    const ids: string[] = [];
    for await (const { id } of processor.eventsSince(new Date(0))) ids.push(id);
    expect({ read: ids.length, different: new Set(ids).size, last: ids.at(-1) }).toEqual({
      read: COUNT,
      different: COUNT,
      last: 'evt_150',
    });
  });
});
