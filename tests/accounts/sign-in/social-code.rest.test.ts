import { describe, expect, it } from '@jest/globals';
import { codeFor, exchange } from '../../kit/accounts/social.js';
import { graphql, platform } from '../../kit/platform.js';

describe('a code', () => {
  it('gives a token that works', async () => {
    const { body } = await exchange({ code: await codeFor('ada') });
    const { data } = await graphql('{ me { id email } }', { token: body.token });
    expect(data.me).toEqual({ id: body.user.id, email: 'ada@mail.example' });
  });

  it('of twenty exchanges at once is good for one', async () => {
    const code = await codeFor('ada');
    const replies = await Promise.all(Array.from({ length: 20 }, () => exchange({ code })));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 400)]);
  });

  it.each([null, '', 'google', 7, { a: 1 }])(
    'goes with a code_verifier of %j, which is never checked',
    async (code_verifier) => {
      expect((await exchange({ code: await codeFor('ada'), code_verifier })).status).toBe(200);
    },
  );

  it.each([
    ['missing', {}],
    ['null', { code: null }],
    ['empty', { code: '' }],
    ['unknown', { code: 'A'.repeat(43) }],
    ['a number', { code: 7 }],
    ['an array', { code: ['x'] }],
    ['overlong', { code: 'x'.repeat(100_000) }],
    ['with U+0000', { code: 'a\0b' }],
  ])('that is %s is refused with 400', async (_, body) => {
    const reply = await exchange(body);
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 400, body: { error: expect.any(String) } });
  });

  it('is traded by GraphQL too', async () => {
    const { data } = await graphql('mutation ($code: String!) { exchangeAuthCode(code: $code) { user { email } } }', {
      variables: { code: await codeFor('ada') },
      url: platform().url,
    });
    expect(data.exchangeAuthCode.user.email).toBe('ada@mail.example');
  });
});
