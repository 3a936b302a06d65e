import { describe, expect, it } from '@jest/globals';
import { call } from '../../kit/platform.js';
import { serviceToken, signIn, signInWithNetwork } from '../../kit/accounts/wallet.js';
import { ISO_TIME } from '../../kit/rest/rest-checks.js';

const SUMMARY = {
  id: expect.any(Number),
  status: expect.any(String),
  default_group: expect.any(Number),
  default_network: expect.any(Number),
  address_range: expect.stringMatching(/^100\.\d+\.\d+\.\d+\/\d+$/),
  counts: { groups: 1, networks: 1, resources: 0, routers: 0, peers: 0, policies: 1 },
  created_at: expect.stringMatching(ISO_TIME),
};

describe('POST /network/provision/', () => {
  it.each(['POST /api/network/provision/', 'POST /api/network/provision'])(
    'answers 201 and the summary at %s',
    async (target) => {
      const { token } = await signIn();
      const { status, body } = await call(target, { token });
      expect({ status, body }).toEqual({ status: 201, body: SUMMARY });
    },
  );

  it.each([
    ['POST /api/network/groups/', {}],
    ['POST /api/network/policies/', {}],
    ['POST /api/network/peers/enroll/', { vm_label: 5 }],
    ['POST /api/network/infra/enroll/', {}],
    ['PATCH /api/network/peers/1/', { groups: 'all' }],
    ['POST /api/network/networks/1/resources/', {}],
  ])('is needed first, whatever else is wrong with %s', async (target, body) => {
    const { token } = await signIn();
    expect((await call(target, { token, body })).status).toBe(403);
  });

  it('is idempotent', async () => {
    const { token } = await signIn();
    const first = await call('POST /api/network/provision/', { token });
    const second = await call('POST /api/network/provision/', { token });
    expect({ status: second.status, body: second.body }).toEqual({ status: 201, body: first.body });
  });

  it.each([
    ['an empty object', '{}'],
    ['fields nobody knows', '{"id": 1, "status": "gone"}'],
    ['null', 'null'],
  ])('takes a body that is %s', async (_, rawBody) => {
    const { token } = await signIn();
    const { status } = await call('POST /api/network/provision/', { token, rawBody });
    expect(status).toBe(201);
  });

  it('gives two tenants ranges that do not overlap', async () => {
    const users = await Promise.all([signIn(), signIn()]);
    const tenants = await Promise.all(users.map(({ token }) => call('POST /api/network/provision/', { token })));
    const [first, second] = tenants.map(({ body }) => body.address_range);
    expect(first).not.toBe(second);
  });
});

describe('a new tenant', () => {
  it('makes a managed policy that lets the default group talk to itself', async () => {
    const { token } = await signIn();
    const { body: tenant } = await call('POST /api/network/provision/', { token });
    const { body } = await call('GET /api/network/policies/', { token });
    expect(body).toMatchObject([
      { source_group: tenant.default_group, dest_group: tenant.default_group, action: 'accept', is_managed: true },
    ]);
  });

  it('makes the default group', async () => {
    const { token } = await signIn();
    const { body: tenant } = await call('POST /api/network/provision/', { token });
    const { body } = await call('GET /api/network/groups/', { token });
    expect(body).toMatchObject([{ id: tenant.default_group, is_default: true }]);
  });

  it('is refused to a service, which has no account', async () => {
    const { status, body } = await call('POST /api/network/provision/', { token: await serviceToken('ADMIN') });
    expect({ status, body }).toEqual({ status: 403, body: { error: expect.any(String) } });
  });
});

describe('GET /network/me/', () => {
  it('answers the summary', async () => {
    const { token } = await signInWithNetwork();
    const { status, body } = await call('GET /api/network/me/', { token });
    expect({ status, body }).toEqual({ status: 200, body: SUMMARY });
  });

  it('counts what was added', async () => {
    const { token } = await signInWithNetwork();
    await call('POST /api/network/groups/', { token, body: { label: 'web' } });
    const { body } = await call('GET /api/network/me/', { token });
    expect(body.counts).toEqual({ ...SUMMARY.counts, groups: 2 });
  });
});

describe('before provisioning', () => {
  it.each([
    ['GET /api/network/me/', undefined],
    ['GET /api/network/groups/', undefined],
    ['POST /api/network/groups/', { label: 'web' }],
    ['DELETE /api/network/groups/1/', undefined],
    ['GET /api/network/policies/', undefined],
    ['POST /api/network/policies/', { source_group: 1, dest_group: 1 }],
    ['PATCH /api/network/policies/1/', { source_group: 1, dest_group: 1 }],
    ['DELETE /api/network/policies/1/', undefined],
    ['GET /api/network/topology/', undefined],
    ['GET /api/network/networks/', undefined],
    ['POST /api/network/networks/', { name: 'office' }],
    ['DELETE /api/network/networks/1/', undefined],
    ['GET /api/network/networks/1/resources/', undefined],
    ['POST /api/network/networks/1/resources/', { name: 'db', address: '10.1.2.3' }],
    ['PATCH /api/network/networks/1/resources/1/', { name: 'db' }],
    ['DELETE /api/network/networks/1/resources/1/', undefined],
    ['GET /api/network/networks/1/routers/', undefined],
    ['POST /api/network/networks/1/routers/', { peer: 1 }],
    ['DELETE /api/network/networks/1/routers/1/', undefined],
    ['POST /api/network/groups/1/members/', { peer: 1 }],
    ['GET /api/network/peers/', undefined],
    ['GET /api/network/peers/1/', undefined],
    ['PATCH /api/network/peers/1/', { label: 'web' }],
    ['DELETE /api/network/peers/1/', undefined],
    ['POST /api/network/peers/enroll/', {}],
    ['POST /api/network/infra/enroll/', { name: 'gateway' }],
    ['GET /api/network/infra/enrollments/', undefined],
    ['DELETE /api/network/infra/enrollments/1/', undefined],
    ['GET /api/network/enroll-keys/', undefined],
    ['DELETE /api/network/enroll-keys/1/', undefined],
  ])('%s answers 403', async (target, sent) => {
    const { token } = await signIn();
    const { status, body } = await call(target, { token, body: sent });
    expect({ status, body }).toEqual({ status: 403, body: { error: expect.any(String) } });
  });
});
