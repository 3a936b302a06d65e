import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { PlatformEvent } from '../../../kernel/events/events.js';
import { watchGraphs } from '../../../subgraphs/network/drivers/netbird/netbird-jobs.js';
import { closeServices, type NetworkRuntime, type NetworkServices } from '../../../subgraphs/network/services.js';

/** Opens a watch over these events. Returns its log and its signal. */
function watched(events: () => AsyncIterable<PlatformEvent>) {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const services = { netbird: {}, closing: new AbortController(), compiler: { close: () => Promise.resolve() } };
  const signals: AbortSignal[] = [];
  const subscribe = (_topics: readonly string[], signal: AbortSignal) => {
    signals.push(signal);
    return events();
  };
  watchGraphs({ events: { subscribe }, log, services } as Partial<NetworkRuntime> as NetworkRuntime);
  return { lines, signals, services: services as Partial<NetworkServices> as NetworkServices };
}

it('a stream of events that fails is logged, and the process continues', async () => {
  const { lines } = watched(async function* () {
    yield* [];
    throw new Error('the stream broke');
  });
  await new Promise(setImmediate);
  expect(lines).toEqual([
    expect.stringMatching(/the stream broke.*could not be enqueued; the next drift poll does it/),
  ]);
});

it('the events of graphs are followed until the services close', async () => {
  const { services, signals } = watched(async function* () {
    yield* [];
  });
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await closeServices(services);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
