import { beforeEach, describe, expect, it } from '@jest/globals';
import { notificationsOf, tell } from '../../kit/accounts/notice.js';
import { asAdmin, codeOf, graphql, type Json } from '../../kit/platform.js';
import { newWallet, signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ISO_TIME } from '../../kit/rest/rest-checks.js';

let user: SignedIn;
beforeEach(async () => {
  user = await signIn();
});

const titlesOf = ({ results }: Json): string[] => results.map(({ title }: Json) => title);

describe('notifications', () => {
  it('are none for a new user', async () => {
    expect(await notificationsOf(user)).toEqual({ unreadCount: 0, nextCursor: null, results: [] });
  });

  it('have the promised fields', async () => {
    await tell(user, { kind: 'payment', title: 'Ü', text: 'Paid.\n\nThanks <you>', link: '/billing?x=1' });
    expect(await notificationsOf(user)).toEqual({
      unreadCount: 1,
      nextCursor: null,
      results: [
        {
          id: expect.stringMatching(/^\d+$/),
          kind: 'payment',
          severity: 'info',
          title: 'Ü',
          text: 'Paid.\n\nThanks <you>',
          link: '/billing?x=1',
          createdAt: expect.stringMatching(ISO_TIME),
          readAt: null,
        },
      ],
    });
  });

  it('have the severity of their kind, or that with which they were sent', async () => {
    for (const kind of ['payment', 'account', 'low_credit', 'zero_balance', 'peer']) await tell(user, { kind });
    await tell(user, { kind: 'payment', severity: 'warning' });
    await tell(user, { kind: 'account', severity: 'info' });
    const { results } = await notificationsOf(user);
    const read = (await graphql(`mutation { markNotificationRead(id: "${results[0].id}") { severity } }`, user)).data;
    expect(results.map(({ kind, severity }: Json) => `${kind} ${severity}`)).toEqual([
      'account info',
      'payment warning',
      'peer info',
      'zero_balance critical',
      'low_credit warning',
      'account warning',
      'payment info',
    ]);
    expect(read.markNotificationRead).toEqual({ severity: 'info' });
  });

  it('come newest first in pages that neither repeat nor miss any, also while more come in', async () => {
    for (const title of ['1', '2', '3', '4', '5']) await tell(user, { title });
    const first = await notificationsOf(user, '(first: 2)');
    await tell(user, { title: '6' });
    const second = await notificationsOf(user, `(first: 2, after: "${first.nextCursor}")`);
    const third = await notificationsOf(user, `(first: 2, after: "${second.nextCursor}")`);
    expect([first, second, third].map(titlesOf)).toEqual([['5', '4'], ['3', '2'], ['1']]);
    expect(third.nextCursor).toBeNull();
  });

  it('are the unread ones only when asked', async () => {
    for (const title of ['1', '2', '3']) await tell(user, { title });
    const { results } = await notificationsOf(user);
    await graphql(`mutation { markNotificationRead(id: "${results[1].id}") { id } }`, user);
    const unread = await notificationsOf(user, '(unreadOnly: true)');
    expect({ titles: titlesOf(unread), count: unread.unreadCount }).toEqual({ titles: ['3', '1'], count: 2 });
  });

  it('are never those of another', async () => {
    await tell(await signIn());
    expect(await notificationsOf(user)).toMatchObject({ unreadCount: 0, results: [] });
  });

  it.each(['first: 0', 'first: -1', 'after: "x"', 'after: ""', 'after: "1 OR 1=1"', 'after: "9999999999999999999"'])(
    'refuse %s',
    async (args) => {
      const answer = await graphql(`{ notifications(${args}) { unreadCount } }`, user);
      expect(codeOf(answer)).toBe('BAD_REQUEST');
    },
  );

  it('are refused without a token', async () => {
    expect(codeOf(await graphql('{ notifications { unreadCount } }'))).toBe('UNAUTHENTICATED');
  });
});

describe('markNotificationRead', () => {
  const mark = (id: string, { token }: SignedIn = user) =>
    graphql('mutation ($id: String!) { markNotificationRead(id: $id) { readAt } }', { token, variables: { id } });

  it('keeps the time of the first when repeated', async () => {
    await tell(user);
    const [{ id }] = (await notificationsOf(user)).results;
    const first = await mark(id);
    const second = await mark(id);
    expect(first.data.markNotificationRead.readAt).toMatch(ISO_TIME);
    expect(second).toEqual(first);
  });

  it.each(['0', '999999999999', 'x', '', '9'.repeat(40)])('answers NOT_FOUND for the id %j', async (id) => {
    expect(codeOf(await mark(id))).toBe('NOT_FOUND');
  });

  it('refuses an id with U+0000', async () => {
    expect(codeOf(await mark('1\0'))).toBe('BAD_REQUEST');
  });

  it('answers NOT_FOUND for one of another user, which stays unread', async () => {
    const other = await signIn();
    await tell(other);
    const [{ id }] = (await notificationsOf(other)).results;
    expect(codeOf(await mark(id))).toBe('NOT_FOUND');
    expect((await notificationsOf(other)).unreadCount).toBe(1);
  });
});

describe('markAllNotificationsRead', () => {
  it('marks all of the user and of nobody else, and answers how many', async () => {
    const other = await signIn();
    for (const to of [user, user, other]) await tell(to);
    const { data } = await graphql('mutation { markAllNotificationsRead }', user);
    const again = await graphql('mutation { markAllNotificationsRead }', user);
    expect([data, again.data]).toEqual([{ markAllNotificationsRead: 2 }, { markAllNotificationsRead: 0 }]);
    const counts = [(await notificationsOf(user)).unreadCount, (await notificationsOf(other)).unreadCount];
    expect(counts).toEqual([0, 1]);
  });
});

describe('adminNotify', () => {
  it('tells the same key once', async () => {
    const notified = await Promise.all([1, 2, 3, 4].map(() => tell(user, { key: 'maintenance' })));
    expect(notified.filter(Boolean)).toHaveLength(1);
    expect((await notificationsOf(user)).unreadCount).toBe(1);
  });

  it('is not for users', async () => {
    const { errors } = await graphql(
      'mutation ($to: String!) { adminNotify(substrateAddress: $to, kind: account, title: "x", text: "x") }',
      { token: user.token, variables: { to: user.substrateAddress } },
    );
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it.each([
    { title: '' },
    { title: ' ' },
    { title: 'x'.repeat(201) },
    { title: 'a\0b' },
    { text: '' },
    { text: 'x'.repeat(5001) },
    { link: 'https://elsewhere.example/' },
    { link: '//elsewhere.example/' },
    { link: '/a b' },
    { link: '/\\elsewhere.example' },
    { kind: 'nothing' },
    { key: '' },
  ])('refuses %j', async (said) => {
    await expect(tell(user, said)).rejects.toThrow(/BAD_REQUEST/);
  });

  it('answers NOT_FOUND for an address that is nobody’s', async () => {
    const telling = asAdmin(
      'mutation ($to: String!) { adminNotify(substrateAddress: $to, kind: account, title: "x", text: "x") }',
      { to: newWallet().substrateAddress },
    );
    await expect(telling).rejects.toThrow(/NOT_FOUND/);
  });
});
