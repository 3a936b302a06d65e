import { describe, expect, it } from '@jest/globals';
import { notificationsOf, tell } from '../../kit/accounts/notice.js';
import { TestSocket } from '../../kit/socket.js';
import { serviceToken, signIn } from '../../kit/accounts/wallet.js';

const ADDED = 'subscription { notificationAdded(after: "0") { id title kind readAt } }';

describe('notificationAdded', () => {
  it('gives what followed the one that is known, then each as it comes', async () => {
    const user = await signIn();
    await tell(user, { title: 'known' });
    const [{ id }] = (await notificationsOf(user)).results;
    await tell(user, { title: 'missed' });
    const socket = await TestSocket.open(user.token);
    socket.subscribe('1', `subscription { notificationAdded(after: "${id}") { title kind readAt } }`);
    const missed = await socket.result('1', 1);
    await tell(user, { title: 'new', kind: 'payment' });
    const added = await socket.result('1', 2);
    expect([missed.data.notificationAdded, added.data.notificationAdded]).toEqual([
      { title: 'missed', kind: 'account', readAt: null },
      { title: 'new', kind: 'payment', readAt: null },
    ]);
    socket.close();
  });

  it('gives each of fifty at once exactly once', async () => {
    const user = await signIn();
    await tell(user, { title: 'first' });
    const socket = await TestSocket.open(user.token);
    socket.subscribe('1', ADDED);
    await socket.result('1', 1);
    const titles = Array.from({ length: 50 }, (_, number) => `${number}`);
    await Promise.all(titles.map((title) => tell(user, { title })));
    await tell(user, { title: 'last' });
    await socket.result('1', 52);
    const heard = socket.results('1').map(({ data }) => data.notificationAdded.title);
    expect(heard).toHaveLength(52);
    expect(new Set(heard)).toEqual(new Set(['first', 'last', ...titles]));
    socket.close();
  });

  it('gives nothing old to who asks for none', async () => {
    const user = await signIn();
    await tell(user, { title: 'old' });
    const socket = await TestSocket.open(user.token);
    socket.subscribe('from now', 'subscription { notificationAdded { title } }');
    socket.subscribe('from the start', ADDED);
    await socket.result('from the start', 1);
    // What comes until the first of them is heard is told to both from then on.
    let number = 0;
    while (socket.results('from now').length === 0) {
      number += 1;
      await tell(user, { title: `new ${number}` });
      await socket.result('from the start', number + 1);
    }
    expect(socket.results('from now')[0].data.notificationAdded.title).toMatch(/^new/);
    socket.close();
  });

  it('reaches nobody else', async () => {
    const [own, other] = await Promise.all([signIn(), signIn()]);
    const sockets = await Promise.all([TestSocket.open(own.token), TestSocket.open(other.token)]);
    for (const socket of sockets) socket.subscribe('1', ADDED);
    await tell(own, { title: 'mine' });
    await sockets[0].result('1', 1);
    await tell(other, { title: 'theirs' });
    const { data } = await sockets[1].result('1', 1);
    expect(data.notificationAdded.title).toBe('theirs');
    expect(sockets[0].results('1')).toHaveLength(1);
    for (const socket of sockets) socket.close();
  });

  it.each(['x', '', '1;', '9'.repeat(40)])('refuses the cursor %j', async (after) => {
    const { token } = await signIn();
    const socket = await TestSocket.open(token);
    socket.subscribe('1', `subscription { notificationAdded(after: "${after}") { id } }`);
    const { errors } = await socket.result('1', 1);
    expect(errors[0].extensions.code).toBe('BAD_REQUEST');
    socket.close();
  });

  it('is refused to a service', async () => {
    const socket = await TestSocket.open(await serviceToken('ADMIN'));
    socket.subscribe('1', ADDED);
    const { errors } = await socket.result('1', 1);
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
    socket.close();
  });
});
