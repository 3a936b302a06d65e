import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Arrangement } from '../../kit/arrangements.js';
import { graphql, type Json } from '../../kit/platform.js';
import { SharedAccounts } from '../../kit/accounts/shared-accounts.js';
import { TestSocket } from '../../kit/socket.js';
import { grant, newWallet, signIn } from '../../kit/accounts/wallet.js';
import { until } from '../../kit/watch.js';

const BALANCE = 'subscription { creditBalanceChanged { balance } }';
const balanceIn = ({ data }: Json): string => data.creditBalanceChanged.balance;
const ADDED = 'subscription { notificationAdded(after: "0") { title } }';
const titleIn = ({ data }: Json): string => data.notificationAdded.title;

let sockets: TestSocket[];
beforeEach(() => {
  sockets = [];
});
afterEach(() => {
  for (const socket of sockets) socket.drop();
});

describe.each<Arrangement>(['in process', 'behind HTTP'])(
  'one change for many sockets of a user, %s',
  (arrangement) => {
    let shared: SharedAccounts;
    beforeAll(async () => {
      shared = await SharedAccounts.start(arrangement);
    });
    afterAll(() => shared.close());

    async function watch(userId: number, id = '1', token = ''): Promise<TestSocket> {
      const socket = await TestSocket.open(`${userId}${token}`, shared.url);
      sockets.push(socket);
      socket.subscribe(id, BALANCE);
      await socket.result(id, 1);
      return socket;
    }

    async function statementsOfChange(userId: number, watching: readonly TestSocket[]): Promise<string[]> {
      shared.statements.length = 0;
      const known = watching.map((socket) => socket.results('1').length);
      await shared.grantTo(userId);
      await Promise.all(watching.map((socket, index) => socket.result('1', (known[index] ?? 0) + 1)));
      return [...shared.statements];
    }

    it('takes as many statements as for one, and tells another user nothing', async () => {
      const [userId, anotherId] = [await shared.newUser(), await shared.newUser()];
      const another = await watch(anotherId);
      const first = await watch(userId);
      expect(await statementsOfChange(userId, [first])).toEqual(['balance-of-user']);
      const all = [first, ...(await Promise.all(Array.from({ length: 15 }, () => watch(userId))))];
      expect(await statementsOfChange(userId, all)).toEqual(['balance-of-user']);
      expect(all.map((socket) => socket.results('1').map(balanceIn))).toEqual([
        ['0', '1', '2'],
        ...Array.from({ length: 15 }, () => ['1', '2']),
      ]);
      expect(another.results('1').map(balanceIn)).toEqual(['0']);
      expect([shared.executedFor(userId), shared.executedFor(anotherId)]).toEqual([1, 1]);
    });

    it('is the same message but for the id of the operation', async () => {
      const userId = await shared.newUser();
      const [one, other] = [await watch(userId, 'one'), await watch(userId, '"2"')];
      await shared.grantTo(userId);
      await Promise.all([one.result('one', 2), other.result('"2"', 2)]);
      const payload = { data: { creditBalanceChanged: { balance: '1' } } };
      expect(one.messages.at(-1)).toEqual({ id: 'one', type: 'next', payload });
      expect(other.messages.at(-1)).toEqual({ id: '"2"', type: 'next', payload });
    });

    it('is executed once for two tokens of a user, and again for other variables', async () => {
      const userId = await shared.newUser();
      const first = await watch(userId);
      await watch(userId, '1', '-another');
      await until(async () => shared.executedFor(userId) === 1);
      const payload = { query: BALANCE, variables: { unused: 1 } };
      first.send({ id: '2', type: 'subscribe', payload });
      await first.result('2', 1);
      expect(shared.executedFor(userId)).toBe(2);
    });

    it('is executed for nobody when the last socket has gone', async () => {
      const userId = await shared.newUser();
      const [first, second] = [await watch(userId), await watch(userId)];
      first.send({ id: '1', type: 'complete' });
      await until(async () => second.messages.length > 0 && shared.executedFor(userId) === 1);
      second.drop();
      await until(async () => shared.executedFor(userId) === 0);
    });

    it('still comes when the socket that was first has gone', async () => {
      const userId = await shared.newUser();
      const [first, second] = [await watch(userId), await watch(userId)];
      await shared.grantTo(userId);
      await Promise.all([first.result('1', 2), second.result('1', 2)]);
      first.send({ id: '1', type: 'complete' });
      first.subscribe('2', '{ __typename }');
      await first.result('2', 1);
      await shared.grantTo(userId);
      expect(balanceIn(await second.result('1', 3))).toBe('2');
      expect(first.results('1')).toHaveLength(2);
    });

    it('does not wait for a slow reader, which skips changes and gets the latest', async () => {
      const userId = await shared.newUser();
      // Each message repeats the id, so messages soon fill the buffers of the network.
      const id = 'x'.repeat(60_000);
      const [slow, fast] = [await watch(userId, id), await watch(userId)];
      slow.stopReading();
      const count = 300;
      for (let number = 1; number <= count; number++) {
        await shared.grantTo(userId);
        expect(balanceIn(await fast.result('1', number + 1))).toBe(`${number}`);
      }
      slow.readAgain();
      let last = 1;
      while (balanceIn(await slow.result(id, last)) !== `${count}`) last++;
      expect(last).toBeLessThan(count);
    }, 60_000);

    it('gives each notification once, to early and late, and to a slow reader when it reads', async () => {
      const userId = await shared.newUser();
      const id = 'x'.repeat(60_000);
      const titles = Array.from({ length: 300 }, (_, number) => `${number}`);
      const open = async (name: string, count: number) => {
        const socket = await TestSocket.open(`${userId}`, shared.url);
        sockets.push(socket);
        socket.subscribe(name, ADDED);
        await socket.result(name, count);
        await until(async () => shared.executedFor(userId) === 1);
        return socket;
      };
      await shared.tell(userId, 'first');
      const [slow, fast] = [await open(id, 1), await open('1', 1)];
      slow.stopReading();
      for (const [index, title] of titles.entries()) {
        await shared.tell(userId, title);
        await fast.result('1', index + 2);
      }
      slow.readAgain();
      await slow.result(id, 301);
      const late = await open('1', 301);
      await shared.tell(userId, 'last');
      await Promise.all([slow.result(id, 302), fast.result('1', 302), late.result('1', 302)]);
      const all = ['first', ...titles, 'last'];
      expect(slow.results(id).map(titleIn)).toEqual(all);
      expect(fast.results('1').map(titleIn)).toEqual(all);
      expect(late.results('1').map(titleIn)).toEqual(all);
    }, 60_000);

    it('gives each notification once to clients that begin, and leave, while others are added', async () => {
      const userId = await shared.newUser();
      const titles = Array.from({ length: 120 }, (_, number) => `${number}`);
      const watching: Promise<TestSocket>[] = [];
      const begin = async () => {
        const socket = await TestSocket.open(`${userId}`, shared.url);
        sockets.push(socket);
        socket.subscribe('1', ADDED);
        return socket;
      };
      for (const title of titles) {
        if (watching.length < 12) watching.push(begin());
        await shared.tell(userId, title);
        if (sockets.length > 6) sockets.shift()?.drop();
      }
      const open = (await Promise.all(watching)).filter((socket) => sockets.includes(socket));
      expect(open.length).toBeGreaterThan(1);
      for (const socket of open) await socket.result('1', titles.length);
      await until(async () => shared.executedFor(userId) === 1);
      await shared.tell(userId, 'last');
      for (const socket of open) await socket.result('1', titles.length + 1);
      for (const socket of open) expect(socket.results('1').map(titleIn)).toEqual([...titles, 'last']);
    }, 60_000);
  },
);

describe('two tokens of a user', () => {
  it('get the same until one is revoked; the sockets of the other stay', async () => {
    const wallet = newWallet();
    const [revoked, kept] = [await signIn(wallet), await signIn(wallet)];
    const [closing, open] = [await TestSocket.open(revoked.token), await TestSocket.open(kept.token)];
    sockets.push(closing, open);
    for (const socket of sockets) {
      socket.subscribe('1', BALANCE);
      await socket.result('1', 1);
    }
    await grant(kept, '1');
    for (const socket of sockets) expect(balanceIn(await socket.result('1', 2))).toBe('1');
    const { data } = await graphql('{ tokens { id isCurrent } }', { token: revoked.token });
    const { id } = data.tokens.find(({ isCurrent }: Json) => isCurrent);
    await graphql('mutation ($id: String!) { revokeToken(id: $id) }', { token: kept.token, variables: { id } });
    expect((await closing.closing()).code).toBe(4403);
    await grant(kept, '1');
    expect(balanceIn(await open.result('1', 3))).toBe('2');
    expect(open.closed).toBeUndefined();
  });
});
