import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SharedSubscription } from '../../../kernel/events/sources/shared-subscription.js';
import { SourceState, stateAfter } from '../../../kernel/events/sources/states.js';
import type { Events } from '../../../kernel/events/events.js';
import { Subscribers } from '../../../kernel/events/sources/subscribers.js';
import { instanceChanges } from '../../../subgraphs/infrastructure/machines/instance/instance.actions.js';
import type { VmInstance } from '../../../subgraphs/infrastructure/machines/instance/instance.js';
import { instanceTopic } from '../../../subgraphs/infrastructure/machines/instance/transition.actions.js';
import { MachineFixture, type Tenant } from '../../kit/machines/machine-fixture.js';

const changes = new Subscribers();
const instances = new SharedSubscription<VmInstance[]>({ everyMs: 0, isReadForJoiners: true });
let fixture: MachineFixture;
let stop: AbortController;
beforeAll(async () => {
  fixture = await MachineFixture.open();
  stop = new AbortController();
});
afterAll(async () => {
  stop.abort();
  await fixture.close();
});

function watch({ userId }: Tenant, resumeFrom?: string): AsyncGenerator<VmInstance | SourceState> {
  const { context } = fixture;
  const user = {
    kind: 'user',
    username: 'a-test',
    substrateAddress: null,
    roles: [],
    tokenId: '1',
    expiresAt: null,
  } as const;
  const services = { ...context.services, instances };
  const events: Events = {
    subscribe: (topics, signal) => changes.add(topics, signal),
    publish: (event) => changes.deliver(event),
    close: () => Promise.resolve(),
  };
  const own = { services, events, viewer: { ...user, userId }, signal: stop.signal, resumeFrom };
  return instanceChanges({ ...context, ...own });
}

/** The machines until the state of the source, and that state. */
async function read(source: AsyncGenerator<VmInstance | SourceState>) {
  const found: { readonly id: number; readonly status: string }[] = [];
  const states: (string | undefined)[] = [];
  for (;;) {
    const { value } = await source.next();
    states.push(stateAfter(value));
    if (value instanceof SourceState) return { found, states, last: value.state };
    found.push({ id: value.id, status: value.status });
  }
}

describe('two subscriptions to the machines of a user', () => {
  it('come to the same states, and go on from each of them', async () => {
    const tenant = await fixture.tenant('100');
    const [first, second] = [watch(tenant), watch(tenant)];
    const [begun, alike] = await Promise.all([read(first), read(second)]);
    expect(begun).toEqual({ ...alike, found: [] });
    const ids = [await fixture.spawn(tenant, '1'), await fixture.spawn(tenant, '1')].map(({ id }) => id);
    changes.deliver({ topic: instanceTopic(tenant.userId) });
    const [changed, same] = await Promise.all([read(first), read(second)]);
    expect(changed).toEqual(same);
    expect(changed.found.map(({ id }) => id)).toEqual(ids.toReversed());
    const afterOne = await read(watch(tenant, changed.states[0]));
    expect(afterOne.found.map(({ id }) => id)).toEqual(ids.slice(0, 1));
    expect(await read(watch(tenant, begun.last))).toEqual(changed);
    expect(await read(watch(tenant, changed.last))).toEqual({ found: [], states: [changed.last], last: changed.last });
  });
});
