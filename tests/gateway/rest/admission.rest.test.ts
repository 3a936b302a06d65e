import { beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../../kit/arrangements.js';
import { call, codeOf, graphql, type Reply } from '../../kit/platform.js';
import { serviceToken, signIn } from '../../kit/accounts/wallet.js';
import { badRequestAt, refusalAt } from '../../kit/rest/rest-checks.js';
import { PROTECTED } from '../../kit/rest/rest-routes.js';

/** Services may ask here. */
const FOR_SERVICES = /\/(?:vm\/(?:applications|flavors|images)|credits|subscription-plans|usage|subscriptions)\//;
/** Routes of the platform API for users only. Routes of folder sync check the owner: see tests/sync/folders/owners. */
const FOR_USERS = PROTECTED.filter((target) => target.includes(' /api/') && !FOR_SERVICES.test(target));
const FOR_OWNERS = PROTECTED.filter((target) => !target.includes(' /api/'));

const FOR_ROLES = PROTECTED.filter((target) => /\/(?:usage|subscriptions)\//.test(target));

/** Nothing that can be served, with or without a body. */
const FAULTS = ['{', '', '[]', JSON.stringify({ payment_type: 7, label: 'x'.repeat(1_100_000) })];

/** Asks with each of the faults. */
async function askBadly(target: string, token?: string): Promise<Reply[]> {
  const who = token === undefined ? {} : { token };
  if (target.startsWith('GET ')) return [await call(`${target}?page=x&page_size=%00`, who)];
  return Promise.all(FAULTS.map((rawBody) => call(target, { ...who, rawBody })));
}

const shown = (replies: readonly Reply[]) => replies.map(({ status, body }) => ({ status, body }));

let ordinary: string;
let superuser: string;
beforeAll(async () => {
  [{ token: ordinary }, superuser] = await Promise.all([signIn(), serviceToken('SUPERUSER')]);
});

describe('a request that is bad in every way', () => {
  it.each([...FOR_USERS, ...FOR_ROLES, ...FOR_OWNERS])('is first refused with 401 at %s', async (target) => {
    const replies = await askBadly(target);
    expect(shown(replies)).toEqual(replies.map(() => ({ status: 401, body: refusalAt(target) })));
  });

  it.each(FOR_USERS)('is refused with 403 to a service, before it is looked at, at %s', async (target) => {
    const replies = await askBadly(target, superuser);
    expect(shown(replies)).toEqual(replies.map(() => ({ status: 403, body: refusalAt(target) })));
  });

  it.each(FOR_ROLES)(
    'is refused with 403 to a user without the role, before it is looked at, at %s',
    async (target) => {
      const replies = await askBadly(target, ordinary);
      expect(shown(replies)).toEqual(replies.map(() => ({ status: 403, body: refusalAt(target) })));
    },
  );

  it('is refused with 403 to a user with every role, before it is looked at, where only services may ask', async () => {
    const target = 'POST /api/billing/usage/record/';
    const replies = await askBadly(target, ADMIN_TOKEN);
    expect(shown(replies)).toEqual(replies.map(() => ({ status: 403, body: refusalAt(target) })));
  });

  it('is refused with 400 to who may ask', async () => {
    const target = 'POST /api/billing/usage/record/';
    const token = await serviceToken('VALIDATOR');
    const replies = await Promise.all(['{', '', '[]'].map((rawBody) => call(target, { token, rawBody })));
    expect(shown(replies)).toEqual(replies.map(() => ({ status: 400, body: badRequestAt(target) })));
  });

  it.each([
    ['without a token', () => undefined, 'UNAUTHENTICATED'],
    ['of a service', () => superuser, 'FORBIDDEN'],
    ['of a user', () => ordinary, 'BAD_REQUEST'],
  ])('is refused in the same order in GraphQL: %s', async (_, tokenOf, code) => {
    const token = tokenOf();
    const who = token === undefined ? {} : { token };
    expect(codeOf(await graphql('mutation { createPayment(amount: 5) { id } }', who))).toBe(code);
  });
});

describe('an address at which there is nothing', () => {
  it.each(['/api/nothing', '/nothing'])('is 404 before a body is read: %s', async (path) => {
    const { status } = await call(`POST ${path}`, { rawBody: '{' });
    expect(status).toBe(404);
  });
});
