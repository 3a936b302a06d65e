import { expect, it } from '@jest/globals';
import { SERVER_SENT_EVENTS } from '../../../../gateway/graphql/streams/stream-formats.js';
import { StreamSubscriber } from '../../../../gateway/graphql/streams/stream-subscriber.js';
import type { Subscription } from '../../../../gateway/graphql/fan-out/broadcast.js';

it('a stream without events shows by heartbeats that it lives, until it ends', async () => {
  const subscriber = new StreamSubscriber({} as Subscription, {
    format: SERVER_SENT_EVENTS,
    publicResult: () => ({}),
    failure: () => ({}),
    onEnd: () => undefined,
    heartbeatMs: 20,
  });
  let text = '';
  const { beginning, heartbeat } = SERVER_SENT_EVENTS;
  for await (const chunk of subscriber.body as AsyncIterable<Buffer>) {
    text += chunk.toString();
    if (text.length >= `${beginning}${heartbeat.repeat(3)}`.length) subscriber.close();
  }
  expect(text).toBe(`${beginning}${heartbeat.repeat(3)}`);
});
