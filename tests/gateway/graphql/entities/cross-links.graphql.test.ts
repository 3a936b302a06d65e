import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestCertificate, signInWithCredits } from '../../../kit/network/certificate.js';
import { peerOf } from '../../../kit/network/graph.js';
import { command, machineIn, signInToBeta, spawn } from '../../../kit/machines/machine.js';
import { asAdmin, call, graphql, type Json } from '../../../kit/platform.js';
import { signIn, signInWithNetwork, type SignedIn } from '../../../kit/accounts/wallet.js';

let user: SignedIn;
let machine: Json;
beforeAll(async () => {
  user = await signInToBeta();
  await call('POST /api/network/provision/', { token: user.token });
  const { body } = await spawn(user, { body: { join_network: true, name: 'linked' } });
  machine = await machineIn('running', body.id, user);
}, 60_000);

const ask = async (query: string, { token } = user): Promise<Json> => {
  const { data, errors } = await graphql(query, { token });
  expect(errors).toBeUndefined();
  return data;
};

describe('a machine and its peer', () => {
  it('lead to each other', async () => {
    const { vmInstances } = await ask('{ vmInstances { uuid peer { label vmInstance { uuid status } } } }');
    const { uuid } = machine;
    expect(vmInstances).toEqual([{ uuid, peer: { label: 'linked', vmInstance: { uuid, status: 'running' } } }]);
  });

  it('are null where there is none', async () => {
    const owner = await signInToBeta();
    await call('POST /api/network/provision/', { token: owner.token });
    await spawn(owner);
    await peerOf(owner);
    expect(await ask('{ vmInstances { peer { id } } peers { vmInstance { uuid } } }', owner)).toEqual({
      vmInstances: [{ peer: null }],
      peers: [{ vmInstance: null }],
    });
  });

  it('lead to each other when the machine was attached, until it is terminated', async () => {
    const owner = await signInToBeta();
    const { token } = owner;
    await call('POST /api/network/provision/', { token });
    const { body } = await spawn(owner);
    await machineIn('running', body.id, owner);
    await call('POST /api/network/infra/enroll/', { token, body: { name: 'gateway', vm_instance: body.id } });
    const query = '{ vmInstances { peer { label } } peers { vmInstance { uuid } } }';
    const attached = { vmInstances: [{ peer: { label: 'gateway' } }], peers: [{ vmInstance: { uuid: body.uuid } }] };
    expect(await ask(query, owner)).toEqual(attached);
    await command(body.id, 'terminate', owner);
    await machineIn('terminated', body.id, owner);
    expect(await ask(query, owner)).toEqual({ vmInstances: [{ peer: null }], peers: [] });
  }, 60_000);
});

describe('a certificate', () => {
  it('leads from the user to its record, its peer and back', async () => {
    const owner = await signInWithCredits();
    await requestCertificate(owner);
    const query = `{ me { id certificates { state ip peer { ip certificate { record { state } peer { ip } } } } groups { isDefault peers { ip } } } }`;
    const { me } = await ask(query, owner);
    const [{ ip }] = me.certificates;
    expect(me).toEqual({
      id: owner.userId,
      certificates: [{ state: 'active', ip, peer: { ip, certificate: { record: { state: 'active' }, peer: { ip } } } }],
      groups: [{ isDefault: true, peers: [{ ip }] }],
    });
  });

  it('of a peer is there once its machine has joined', async () => {
    const owner = await signInWithNetwork();
    await peerOf(owner);
    expect(await ask('{ peers { certificate { fingerprint } } }', owner)).toEqual({ peers: [{ certificate: null }] });
  });
});

describe('the lists of a user', () => {
  it('are empty before there is a network', async () => {
    const query =
      '{ me { vmInstances { id } peers { id } groups { id } buckets { name } certificates { ip } modelProjects { project } } }';
    const none = { vmInstances: [], peers: [], groups: [], buckets: [], certificates: [], modelProjects: [] };
    expect(await ask(query, await signIn())).toEqual({ me: none });
  });

  it.each([
    'peers { id }',
    'groups { id }',
    'vmInstances { id }',
    'buckets { name }',
    'certificates { ip }',
    'modelProjects { project }',
  ])('are null to an administrator: %s', async (fields) => {
    const data = await asAdmin(`query ($of: String!) { user(substrateAddress: $of) { ${fields} } }`, {
      of: user.substrateAddress,
    });
    expect(Object.values(data.user)).toEqual([null]);
  });
});
