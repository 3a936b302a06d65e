import { expect, it } from '@jest/globals';
import { call } from '../../../kit/platform.js';
import { signInWithNetwork } from '../../../kit/accounts/wallet.js';

const PORTS_OF_ONE = 100;
const MAX_PORTS = 5_000;

it('a private network refuses with 409 more ports than it may hold, and keeps what it has', async () => {
  const { token } = await signInWithNetwork();
  const { body: tenant } = await call('GET /api/network/me/', { token });
  const group = tenant.default_group;
  const ports = Array.from({ length: PORTS_OF_ONE }, (_, i) => `${2 * i + 1}`);
  const add = () =>
    call('POST /api/network/policies/', {
      token,
      body: { source_group: group, dest_group: group, protocol: 'tcp', ports },
    });
  for (let held = 0; held < MAX_PORTS; held += PORTS_OF_ONE) expect((await add()).status).toBe(201);
  const { status, body } = await add();
  expect({ status, body }).toEqual({ status: 409, body: { error: expect.stringContaining('at most 5000 ports') } });
  const { body: after } = await call('GET /api/network/me/', { token });
  expect(after.counts.policies).toBe(1 + MAX_PORTS / PORTS_OF_ONE);
});
