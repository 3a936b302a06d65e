import { describe, expect, it } from '@jest/globals';
import { call } from '../../kit/platform.js';
import { refusalAt } from '../../kit/rest/rest-checks.js';

describe('a method that is not served', () => {
  it.each([
    ['PUT /api/network/me/', ['GET', 'HEAD']],
    ['GET /api/auth/verify/', ['POST']],
    ['GET /api/auth/mnemonic', ['POST']],
    ['POST /api/billing/latest-tao-price/', ['GET', 'HEAD']],
    ['DELETE /api/network/groups/', ['GET', 'HEAD', 'POST']],
    ['GET /api/network/groups/1/', ['DELETE']],
    ['PUT /api/network/policies/1', ['DELETE', 'PATCH']],
    ['GET /register_folder', ['POST']],
    ['POST /list_folders/x', ['GET', 'HEAD']],
    ['POST /unregister_folder', ['DELETE']],
  ])('answers 405 at %s and names those that are', async (target, served) => {
    const { status, body, headers } = await call(target);
    const allow = (headers.get('allow') ?? '').split(', ');
    expect({ status, body, allow: allow.toSorted() }).toEqual({ status: 405, body: refusalAt(target), allow: served });
  });
});

describe('HEAD', () => {
  it.each([
    ['/api/auth/token/', 'GET'],
    ['/accounts/google/callback/', 'GET'],
    ['/api/auth/verify/', 'POST'],
  ])('answers 405 at %s, because the request would change something', async (path, allow) => {
    const { status, headers } = await call(`HEAD ${path}`);
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow });
  });
});
