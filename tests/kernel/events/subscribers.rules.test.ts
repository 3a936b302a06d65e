import { describe, expect, it } from '@jest/globals';
import type { PlatformEvent } from '../../../kernel/events/events.js';
import { Subscribers } from '../../../kernel/events/sources/subscribers.js';

/** Returns the events that a subscriber receives when it reads after all were delivered. */
async function received(topics: readonly string[], events: readonly PlatformEvent[]): Promise<PlatformEvent[]> {
  const subscribers = new Subscribers();
  const reading = subscribers.add(topics, new AbortController().signal);
  for (const event of events) subscribers.deliver(event);
  const found: PlatformEvent[] = [];
  const read = async () => {
    for await (const event of reading) found.push(event);
  };
  const ended = read();
  while (found.at(-1)?.topic !== 'end') {
    subscribers.deliver({ topic: 'end' });
    await Promise.resolve();
  }
  subscribers.end();
  await ended;
  return found.filter(({ topic }) => topic !== 'end');
}

const changes = (topic: string, count: number): PlatformEvent[] =>
  Array.from({ length: count }, (_, index) => ({ topic, id: `${index}` }));

describe('a slow reader of several topics', () => {
  it('receives every change while few are pending', async () => {
    const events = [...changes('a', 3), ...changes('b', 3)];
    expect(await received(['a', 'b', 'end'], events)).toEqual(events);
  });

  it('receives an event of each topic after too many changes', async () => {
    const events = [...changes('a', 1), ...changes('b', 300), ...changes('c', 1)];
    const found = await received(['a', 'b', 'c', 'end'], events);
    expect(new Set(found.map(({ topic }) => topic))).toEqual(new Set(['a', 'b', 'c']));
    expect(found).toContainEqual({ topic: 'b' });
    expect(found.length).toBeLessThan(256);
  });

  it('receives one event without an id for too many changes of a topic', async () => {
    const events = [...changes('a', 300), ...changes('a', 300)];
    expect(await received(['a', 'end'], events)).toEqual([{ topic: 'a' }]);
  });

  it('receives an event of each of 400 topics', async () => {
    const topics = Array.from({ length: 400 }, (_, index) => `topic ${index}`);
    const events = topics.flatMap((topic) => changes(topic, 2));
    const found = await received([...topics, 'end'], events);
    expect(new Set(found.map(({ topic }) => topic)).size).toBe(400);
    expect(found.length).toBeLessThan(1000);
  });
});
