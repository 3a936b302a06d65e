import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { PlatformOperation } from '../../../kernel/subgraph/call-subgraph.js';
import { ENROLL_VM } from '../../../subgraphs/infrastructure/calls.js';
import { provisionTenant } from '../../../subgraphs/network/graph/tenant/tenant.actions.js';
import { CertificateFixture } from '../../kit/network/certificate-fixture.js';

let fixture: CertificateFixture;
beforeAll(async () => {
  fixture = await CertificateFixture.open();
}, 60_000);
afterAll(() => fixture.close());

/** The address of a machine, as the previous version of infrastructure reads it. */
const PEER_OF_VM: PlatformOperation<{ readonly userId: number; readonly uuid: string }, object> = {
  subgraph: 'network',
  document: 'query VmPeer($userId: Int!, $uuid: ID!) { vmPeer(userId: $userId, uuid: $uuid) { ip hasJoined } }',
  read: ({ vmPeer }) => (typeof vmPeer === 'object' ? { vmPeer } : undefined),
};

it('the previous version of infrastructure can still read the address of a machine', async () => {
  const { callSubgraph } = fixture.context;
  const vm = { userId: await fixture.user(), uuid: randomUUID() };
  await provisionTenant(fixture.databases.network, vm, { lastRange: 0, now: fixture.now });
  expect(await callSubgraph(PEER_OF_VM, vm, 'test')).toEqual({ vmPeer: null });
  await callSubgraph(ENROLL_VM, { ...vm, label: 'vm' }, 'test');
  const joining = { ip: expect.stringMatching(/^100\.64\./), hasJoined: false };
  expect(await callSubgraph(PEER_OF_VM, vm, 'test')).toEqual({ vmPeer: joining });
  await fixture.databases.network.change((transaction) =>
    transaction.execute('UPDATE network.peer SET joined_at = $1', [fixture.now]),
  );
  expect(await callSubgraph(PEER_OF_VM, vm, 'test')).toEqual({ vmPeer: { ...joining, hasJoined: true } });
});
