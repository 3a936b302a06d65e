import { describe, expect, it } from '@jest/globals';
import { machineIn, signInToBeta, spawn } from '../../kit/machines/machine.js';
import { call, type Json } from '../../kit/platform.js';
import { TestSocket } from '../../kit/socket.js';
import type { SignedIn } from '../../kit/accounts/wallet.js';

async function signInWithMachines(): Promise<SignedIn> {
  const user = await signInToBeta();
  await call('POST /api/network/provision/', { token: user.token });
  return user;
}

/** Reads on until an event shows what is wanted. */
async function eventWith(socket: TestSocket, find: (data: Json) => Json): Promise<Json> {
  for (let number = 1; ; number++) {
    const { data, errors } = await socket.result('1', number);
    expect(errors).toBeUndefined();
    const found = find(data);
    if (found) return found;
  }
}

describe('an event of one subgraph', () => {
  it('is completed from another: the machine of a new peer', async () => {
    const user = await signInWithMachines();
    const socket = await TestSocket.open(user.token);
    socket.subscribe(
      '1',
      'subscription { topologyChanged { nodes { id meta { peer { label vmInstance { uuid name } } } } } }',
    );
    await socket.result('1', 1);
    const { body } = await spawn(user, { body: { join_network: true, name: 'joiner' } });
    const peer = await eventWith(socket, ({ topologyChanged: { nodes } }) =>
      nodes.find(({ id }: Json) => id.startsWith('peer:')),
    );
    expect(peer.meta.peer).toEqual({ label: 'joiner', vmInstance: { uuid: body.uuid, name: 'joiner' } });
    socket.close();
  }, 60_000);

  it('is completed from another: the peer of a machine that runs', async () => {
    const user = await signInWithMachines();
    const socket = await TestSocket.open(user.token);
    socket.subscribe('1', 'subscription { vmInstanceChanged { status peer { label status } } }');
    const { body } = await spawn(user, { body: { join_network: true, name: 'joiner' } });
    await machineIn('running', body.id, user);
    const running = await eventWith(
      socket,
      ({ vmInstanceChanged }) => vmInstanceChanged.status === 'running' && vmInstanceChanged,
    );
    expect(running.peer).toEqual({ label: 'joiner', status: 'never_seen' });
    socket.close();
  }, 60_000);
});
