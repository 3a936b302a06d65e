import { describe, expect, it } from '@jest/globals';
import { command, machineIn, signInToBeta, spawn } from '../../kit/machines/machine.js';
import { graphql, type Json } from '../../kit/platform.js';
import { TestSocket } from '../../kit/socket.js';

const WATCH = 'subscription { vmInstanceChanged { id status revision publicIp billing { state } } }';

/** Reads on until the machine has this status. */
async function statusesUntil(socket: TestSocket, last: string, from = 1): Promise<Json[]> {
  const seen: Json[] = [];
  for (let number = from; ; number++) {
    const { data } = await socket.result('1', number);
    seen.push(data.vmInstanceChanged);
    if (data.vmInstanceChanged.status === last) return seen;
  }
}

describe('vmInstanceChanged', () => {
  it('shows a machine come up and go, in this order', async () => {
    const user = await signInToBeta();
    const socket = await TestSocket.open(user.token);
    socket.subscribe('1', WATCH);
    // An answer to a later message says that the subscription stands.
    socket.subscribe('2', 'query { vmInstances { id } }');
    await socket.result('2', 1);
    const { body } = await spawn(user);
    const up = await statusesUntil(socket, 'running');
    await command(body.id, 'terminate', user);
    const down = await statusesUntil(socket, 'terminated', up.length + 1);
    const states = [...up, ...down].map(({ status }) => status);
    const order = ['pending', 'spawning', 'running', 'terminating', 'terminated'];
    expect(states).toEqual(order.filter((state) => states.includes(state)));
    expect(up.at(-1)).toMatchObject({ id: body.id, publicIp: expect.any(String), billing: { state: 'charging' } });
    expect(down.at(-1)).toMatchObject({ billing: { state: 'ended' } });
    socket.close();
  });

  it('shows a new warning threshold', async () => {
    const user = await signInToBeta();
    const { body } = await spawn(user);
    await machineIn('running', body.id, user);
    const socket = await TestSocket.open(user.token);
    socket.subscribe('1', 'subscription { vmInstanceChanged { id billing { warningMinutes } } }');
    socket.subscribe('2', 'query { vmInstances { id } }');
    await socket.result('2', 1);
    await graphql(`mutation { setVmWarning(id: "${body.id}", minutes: 90) { id } }`, user);
    const { data } = await socket.result('1', 1);
    expect(data.vmInstanceChanged).toEqual({ id: body.id, billing: { warningMinutes: 90 } });
    socket.close();
  });

  it('shows nobody else’s', async () => {
    const [user, other] = await Promise.all([signInToBeta(), signInToBeta()]);
    const socket = await TestSocket.open(other.token);
    socket.subscribe('1', WATCH);
    socket.subscribe('2', 'query { vmInstances { id } }');
    await socket.result('2', 1);
    await spawn(user);
    const { body } = await spawn(other);
    const { data } = await socket.result('1', 1);
    expect(data.vmInstanceChanged.id).toBe(body.id);
    socket.close();
  });
});
