import { describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { TestSocket } from '../../kit/socket.js';
import { platform } from '../../kit/platform.js';
import { signIn } from '../../kit/accounts/wallet.js';
import { until } from '../../overlay/processes.js';

const KIB = 1024;

/** A message of graphql-transport-ws with this many bytes, which the server answers. */
function pingOf(bytes: number): string {
  const rest = JSON.stringify({ type: 'ping', payload: { text: '' } }).length;
  return JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(bytes - rest) } });
}

describe('the websockets of a user', () => {
  it('are 20: one more is closed with 4429, until one of them leaves', async () => {
    const [{ token }, other] = await Promise.all([signIn(), signIn()]);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => TestSocket.open(token)));
    expect(await (await TestSocket.open(token)).closing()).toEqual({
      code: 4429,
      reason: 'At most 20 sockets per user.',
    });
    const others = await TestSocket.open(other.token);
    expect(others.messages).toEqual([{ type: 'connection_ack' }]);
    sockets[0]?.close();
    const next = await until('a place for one more', 10_000, async () => {
      const socket = await TestSocket.open(token);
      return socket.messages.length > 0 ? socket : undefined;
    });
    for (const socket of [...sockets, others, next]) socket.close();
  });
});

describe('a websocket', () => {
  it('has 50 operations: one more is refused, and those go on', async () => {
    const socket = await TestSocket.open((await signIn()).token);
    const ids = Array.from({ length: 51 }, (_, at) => `${at}`);
    for (const id of ids) socket.subscribe(id, 'subscription { creditBalanceChanged { balance } }');
    const refused = { message: 'At most 50 operations at once on a socket.' };
    expect(await socket.failure('50')).toMatchObject([{ ...refused, extensions: { code: 'RATE_LIMITED' } }]);
    const results = await Promise.all(ids.slice(0, 50).map((id) => socket.result(id, 1)));
    expect(results.filter(({ data }) => data.creditBalanceChanged.balance === '0')).toHaveLength(50);
    socket.close();
  });

  it('takes a frame of 64 KiB, and closes with 1009 for a longer one', async () => {
    const socket = await TestSocket.open((await signIn()).token);
    socket.send(pingOf(64 * KIB));
    await until('the answer to a ping', 10_000, async () => socket.messages[1]);
    expect(socket.messages[1]).toMatchObject({ type: 'pong' });
    socket.send(pingOf(64 * KIB + 1));
    expect((await socket.closing()).code).toBe(1009);
  });

  it('closes with 4408 when its client does not sign in within 3 seconds', async () => {
    const socket = new WebSocket(`${platform().url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const code = await new Promise((resolve) => socket.on('close', resolve));
    expect(code).toBe(4408);
  });
});
