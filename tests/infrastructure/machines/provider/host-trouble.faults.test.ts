import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HostUnreachable, ProviderFault } from '../../../../subgraphs/infrastructure/machines/provider/provider.js';
import type { VmInstance } from '../../../../subgraphs/infrastructure/machines/instance/instance.js';
import { MachineFixture, type Tenant } from '../../../kit/machines/machine-fixture.js';
import { OddHost } from '../../../kit/machines/odd-host.js';

const MINUTE_MS = 60_000;

let host: OddHost;
let fixture: MachineFixture;
let tenant: Tenant;
const made: VmInstance[] = [];
beforeAll(async () => {
  host = new OddHost();
  fixture = await MachineFixture.open(host);
}, 60_000);
afterAll(() => fixture.close());
beforeEach(async () => {
  host.reset();
  tenant = await fixture.tenant('100');
});
afterEach(async () => {
  host.reset();
  host.sees = 'gone';
  for (const machine of made.splice(0)) await fixture.command(tenant, machine, 'terminate');
  await fixture.advance(10_000);
  fixture.dropJobs();
});

/** Runs the jobs of each minute. */
async function minutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    await fixture.advance(MINUTE_MS);
    for (const name of ['watch-instances', 'settle-instances']) await fixture.run(name);
    await fixture.advance(0);
  }
}

async function spawn(creditsPerHour = '1', joins: { joinsNetwork?: true } = {}): Promise<VmInstance> {
  const machine = await fixture.spawn(tenant, creditsPerHour, '0', joins);
  made.push(machine);
  return machine;
}

async function running(creditsPerHour?: string): Promise<VmInstance> {
  const machine = await spawn(creditsPerHour);
  await fixture.advance(10_000);
  host.commands.length = 0;
  return machine;
}

async function stopped(): Promise<VmInstance> {
  const machine = await running();
  host.sees = 'stopped';
  await fixture.command(tenant, machine, 'stop');
  await fixture.advance(10_000);
  host.commands.length = 0;
  return machine;
}

async function stateOf(machine: VmInstance): Promise<[string, string | null]> {
  const { status, errorMessage } = await fixture.machine(tenant, machine);
  return [status, errorMessage];
}

describe('a machine that is to stop', () => {
  it.each([
    ['away for half an hour', new HostUnreachable('maintenance')],
    ['in trouble for half an hour', new ProviderFault('The host could not finish the operation.')],
  ])('is stopped though its host is %s', async (_what, fault) => {
    const machine = await running();
    host.fault = fault;
    await fixture.command(tenant, machine, 'stop');
    await minutes(30);
    expect(await stateOf(machine)).toEqual(['stopping', null]);
    host.fault = undefined;
    host.commands.length = 0;
    await minutes(5);
    expect(host.commands).toContain('stop');
    host.sees = 'stopped';
    await minutes(1);
    expect(await stateOf(machine)).toEqual(['stopped', null]);
  });

  it('because the credits ran out is stopped for the reason that its owner reads then too', async () => {
    tenant = await fixture.tenant('10');
    const machine = await running('60');
    await minutes(12);
    host.sees = 'stopped';
    await minutes(1);
    expect(await stateOf(machine)).toEqual(['stopped', expect.stringContaining('credits ran out')]);
  });

  it('is stopped when the host no longer has it, and fails then', async () => {
    const machine = await running();
    host.sees = 'gone';
    await fixture.command(tenant, machine, 'stop');
    await minutes(1);
    expect((await stateOf(machine))[0]).toBe('stopped');
    await minutes(5);
    expect((await stateOf(machine))[0]).toBe('failed');
  });
});

describe('a machine that cannot be started', () => {
  it.each([
    [new HostUnreachable('maintenance'), 'The host could not be reached to start this virtual machine.'],
    [new HostUnreachable('no permission', 403), 'The host does not let the platform start this virtual machine.'],
    [new ProviderFault('No memory.'), 'The host could not start this virtual machine after 5 attempts. No memory.'],
  ])('is stopped and can be started later', async (fault, reason) => {
    const machine = await stopped();
    await fixture.command(tenant, machine, 'start');
    host.fault = fault;
    await minutes(25);
    const { status, errorMessage, wantedState } = await fixture.machine(tenant, machine);
    expect([status, errorMessage, wantedState]).toEqual(['stopped', reason, 'stopped']);
    expect((await fixture.credits(tenant)).held).toBe('0');
    host.reset();
    await fixture.command(tenant, machine, 'start');
    await minutes(1);
    expect(await stateOf(machine)).toEqual(['running', null]);
  });
});

describe('a machine that cannot be rebooted', () => {
  it('runs on where it runs, and is stopped and not charged where it does not', async () => {
    const machine = await running();
    host.sees = 'busy';
    await fixture.command(tenant, machine, 'reboot');
    await minutes(25);
    expect(await stateOf(machine)).toEqual(['running', 'The host took too long to reboot this virtual machine.']);
    host.sees = 'stopped';
    await minutes(1);
    expect((await stateOf(machine))[0]).toBe('stopped');
  });
});

describe('a failed machine', () => {
  it('that runs all the same is stopped, and its owner reads why it failed', async () => {
    host.fault = new HostUnreachable('nobody listens');
    const machine = await spawn();
    await minutes(30);
    const [status, reason] = await stateOf(machine);
    expect(status).toBe('failed');
    host.reset();
    await minutes(1);
    expect([await stateOf(machine), host.commands]).toEqual([['stopping', reason], expect.arrayContaining(['stop'])]);
    host.sees = 'stopped';
    await minutes(1);
    expect(await stateOf(machine)).toEqual(['stopped', reason]);
  });

  it('that its host has again is stopped', async () => {
    const machine = await running();
    host.sees = 'gone';
    await minutes(6);
    expect((await stateOf(machine))[0]).toBe('failed');
    host.sees = 'stopped';
    await minutes(1);
    expect((await stateOf(machine))[0]).toBe('stopped');
  });
});

describe('a machine that changes by itself', () => {
  it('is stopped, and costs no more, when its guest shut down', async () => {
    const machine = await running();
    host.sees = 'stopped';
    await minutes(2);
    const { status, wantedState } = await fixture.machine(tenant, machine);
    expect([status, wantedState, (await fixture.credits(tenant)).held]).toEqual(['stopped', 'stopped', '0']);
  });

  it('is stopped at once, costs no more, and its owner reads why, when its host broke it', async () => {
    const machine = await running();
    host.sees = 'broken';
    await minutes(3);
    const reason = 'The disk of the host is full or faulty.';
    expect([await stateOf(machine), (await fixture.credits(tenant)).held]).toEqual([['stopping', reason], '0']);
    host.sees = 'stopped';
    await minutes(5);
    expect(await stateOf(machine)).toEqual(['stopped', reason]);
  });

  it('is told again to stop when it runs all the same', async () => {
    const machine = await stopped();
    host.sees = 'running';
    await minutes(1);
    expect([(await stateOf(machine))[0], host.commands]).toEqual(['stopping', expect.arrayContaining(['stop'])]);
  });

  it('is not stopped when its owner starts it at that moment', async () => {
    const machine = await stopped();
    host.sees = 'running';
    host.beforeLook = async () => {
      host.beforeLook = () => Promise.resolve();
      await fixture.command(tenant, machine, 'start');
    };
    await minutes(2);
    expect([(await stateOf(machine))[0], host.commands]).toEqual(['running', ['start']]);
  });

  it('is not stopped by an old look after its owner stopped and started it', async () => {
    const machine = await running();
    host.sees = 'stopped';
    host.beforeLook = async () => {
      host.beforeLook = () => Promise.resolve();
      await fixture.command(tenant, machine, 'stop');
      await fixture.advance(10_000);
      host.sees = 'running';
      await fixture.command(tenant, machine, 'start');
      await fixture.advance(10_000);
    };
    await fixture.run('watch-instances');
    expect((await stateOf(machine))[0]).toBe('running');
  });

  it('has failed when the host has lost it for five looks one after another, not before', async () => {
    const machine = await running();
    host.sees = 'gone';
    await minutes(4);
    host.sees = 'running';
    await minutes(1);
    host.sees = 'gone';
    await minutes(4);
    expect((await stateOf(machine))[0]).toBe('running');
    await minutes(1);
    expect(await stateOf(machine)).toEqual(['failed', 'The virtual machine no longer exists on the host.']);
  });
});

describe('a machine that is terminated while it joins its owner’s network', () => {
  it.each([undefined, new ProviderFault('Too late.')])('leaves no peer: %s', async (fault) => {
    const machine = await spawn('1', { joinsNetwork: true });
    fixture.networkCalls.length = 0;
    fixture.beforeEnroll = async () => {
      fixture.beforeEnroll = () => Promise.resolve();
      host.sees = 'gone';
      await fixture.command(tenant, machine, 'terminate');
      await fixture.run('drive-instance', { userId: tenant.userId, id: machine.id });
      expect((await stateOf(machine))[0]).toBe('terminated');
      host.fault = fault;
    };
    await minutes(1);
    expect(fixture.networkCalls.filter((name, place, all) => name !== all[place - 1])).toEqual([
      'DropVmPeer',
      'EnrollVm',
      'DropVmPeer',
    ]);
  });
});
