import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { VmInstance } from '../../../subgraphs/infrastructure/machines/instance/instance.js';
import { MachineFixture, type Tenant } from '../../kit/machines/machine-fixture.js';

let fixture: MachineFixture;
let tenant: Tenant;
beforeAll(async () => {
  fixture = await MachineFixture.open();
}, 60_000);
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.addresses.length = 0;
  fixture.isNetworkDown = false;
  tenant = await fixture.tenant('100');
});

async function runningMachine(joins: { readonly joinsNetwork?: true } = {}): Promise<VmInstance> {
  const machine = await fixture.spawn(tenant, '1', '0', joins);
  await fixture.advance(60_000);
  return machine;
}

function join({ userId, uuid }: VmInstance, ip: string): void {
  fixture.addresses.push({ userId, uuid, ip });
}

const addressOf = async (machine: VmInstance) => (await fixture.machine(tenant, machine)).nebulaIp;

describe('the overlay address of a machine', () => {
  it.each([
    ['was created to join', { joinsNetwork: true }],
    ['its owner attached', {}],
  ] as const)('is that of its peer where it %s', async (_, joins) => {
    const machine = await runningMachine(joins);
    await fixture.run('watch-instances');
    expect(await addressOf(machine)).toBeNull();
    join(machine, '100.64.0.10');
    await fixture.run('look-at-instance', { uuid: machine.uuid });
    expect(await addressOf(machine)).toBe('100.64.0.10');
  });

  it('is not shown any more once its peer is deleted, nor that of the next peer', async () => {
    const machine = await runningMachine({ joinsNetwork: true });
    join(machine, '100.64.0.10');
    await fixture.run('watch-instances');
    const { revision } = await fixture.machine(tenant, machine);
    fixture.addresses.length = 0;
    await fixture.run('watch-instances');
    expect(await fixture.machine(tenant, machine)).toMatchObject({ nebulaIp: null, revision: revision + 1 });
  });

  it('is not shown of a machine that is terminated', async () => {
    const machine = await runningMachine({ joinsNetwork: true });
    join(machine, '100.64.0.10');
    await fixture.run('watch-instances');
    expect(await addressOf(machine)).toBe('100.64.0.10');
    await fixture.command(tenant, machine, 'terminate');
    await fixture.advance(60_000);
    expect(await fixture.machine(tenant, machine)).toMatchObject({ status: 'terminated', nebulaIp: null });
  });

  it('is that of the owner’s peer only', async () => {
    const machine = await runningMachine({ joinsNetwork: true });
    fixture.addresses.push({ userId: machine.userId + 1, uuid: machine.uuid, ip: '100.64.0.10' });
    await fixture.run('watch-instances');
    expect(await addressOf(machine)).toBeNull();
  });

  it('is read by the next pass where network is down during a poll', async () => {
    const machine = await runningMachine({ joinsNetwork: true });
    join(machine, '100.64.0.10');
    fixture.isNetworkDown = true;
    await fixture.run('look-at-instance', { uuid: machine.uuid });
    fixture.isNetworkDown = false;
    await fixture.run('watch-instances');
    expect(await addressOf(machine)).toBe('100.64.0.10');
  });

  it('is asked for together with those of the other machines', async () => {
    for (let number = 0; number < 3; number++) await runningMachine();
    fixture.networkCalls.length = 0;
    await fixture.run('watch-instances');
    expect(fixture.networkCalls).toEqual(['VmAddresses']);
  });
});
