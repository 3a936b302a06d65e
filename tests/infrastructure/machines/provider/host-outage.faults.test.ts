import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { errorCode } from '../../../../kernel/errors.js';
import { HostUnreachable } from '../../../../subgraphs/infrastructure/machines/provider/provider.js';
import type { VmInstance } from '../../../../subgraphs/infrastructure/machines/instance/instance.js';
import { MachineFixture, type Tenant } from '../../../kit/machines/machine-fixture.js';
import { OddHost } from '../../../kit/machines/odd-host.js';

const MINUTE_MS = 60_000;
const OUTAGE_MS = 8 * 60 * MINUTE_MS;

let host: OddHost;
let fixture: MachineFixture;
let tenant: Tenant;
let machine: VmInstance;
beforeAll(async () => {
  host = new OddHost();
  fixture = await MachineFixture.open(host);
}, 60_000);
afterAll(() => fixture.close());
beforeEach(async () => {
  host.reset();
  fixture.dropJobs();
  fixture.loseEveryNthResponse = 0;
  tenant = await fixture.tenant('100');
  machine = await fixture.spawn(tenant, '1');
  await fixture.advance(1_000);
  await minutes(10);
});

// The jobs of each minute go through all machines that exist.
afterEach(async () => {
  host.reset();
  host.sees = 'gone';
  const { status } = await fixture.machine(tenant, machine);
  if (status !== 'terminated') await fixture.command(tenant, machine, 'terminate');
  await minutes(2);
  expect((await fixture.machine(tenant, machine)).status).toBe('terminated');
});

/** Runs the jobs of each minute. */
async function minutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    await fixture.advance(MINUTE_MS);
    for (const name of ['watch-instances', 'settle-instances']) await fixture.run(name);
    await fixture.advance(0);
  }
}

/** The state, and the minutes that are charged. */
async function charged(): Promise<[string, number]> {
  const { chargedSoFar } = await fixture.billing(tenant, machine);
  return [(await fixture.machine(tenant, machine)).status, Math.round(Number(chargedSoFar) * 60)];
}

it.each([
  ['cannot be asked', { fault: new HostUnreachable('no route') }],
  ['does not answer for it', { beforeLook: () => Promise.reject(new Error('QMP')) }],
])('a machine whose host %s is not charged until it is seen running again', async (_what, trouble) => {
  Object.assign(host, trouble);
  await minutes(300);
  expect(await charged()).toEqual(['running', 11]);
  host.reset();
  await minutes(10);
  expect(await charged()).toEqual(['running', 20]);
});

it('a subscriber learns that the clock of a machine has stopped, and that it goes on', async () => {
  const revision = async () => (await fixture.machine(tenant, machine)).revision;
  const before = await revision();
  host.fault = new HostUnreachable('no route');
  await minutes(2);
  const stopped = await revision();
  host.reset();
  await minutes(2);
  expect([stopped, await revision()]).toEqual([before + 1, before + 2]);
});

it('a machine that is seen to have stopped stops in the same poll', async () => {
  host.sees = 'stopped';
  await fixture.run('watch-instances');
  expect((await fixture.machine(tenant, machine)).status).toBe('stopped');
});

it('a machine that is not seen running has nothing held for it, and an hour again when it is seen', async () => {
  host.fault = new HostUnreachable('no route');
  await minutes(2);
  expect((await fixture.credits(tenant)).held).toBe('0');
  host.reset();
  await fixture.run('watch-instances');
  await fixture.advance(0);
  expect((await fixture.credits(tenant)).held).toBe('1');
  await minutes(10);
  expect(await charged()).toEqual(['running', 21]);
});

it.each(['running', 'rebooting'])(
  'a %s machine that is not seen stays in the estimates of its owner',
  async (state) => {
    const other = await fixture.spawn(tenant, '3');
    await fixture.advance(1_000);
    host.beforeLook = () => Promise.reject(new HostUnreachable('no route'));
    await fixture.run('watch-instances');
    host.beforeLook = () => Promise.resolve();
    await fixture.run('look-at-instance', { uuid: other.uuid });
    host.fault = new HostUnreachable('no route');
    if (state === 'rebooting') await fixture.command(tenant, machine, 'reboot');
    await fixture.run('settle-instances');
    const [unseen, seen] = [await fixture.billing(tenant, machine), await fixture.billing(tenant, other)];
    expect([(await fixture.machine(tenant, machine)).status, unseen.state, seen.state]).toEqual([
      state,
      'waiting',
      'charging',
    ]);
    const { balance } = await fixture.credits(tenant);
    expect(((seen.emptyAt?.getTime() ?? 0) - fixture.nowMs) / (60 * MINUTE_MS)).toBeCloseTo(Number(balance) / 4, 1);
  },
);

it('a machine whose host cannot be asked can be stopped, and is charged as before', async () => {
  host.fault = new HostUnreachable('no route');
  await minutes(30);
  await fixture.command(tenant, machine, 'stop');
  host.reset();
  host.sees = 'stopped';
  await minutes(2);
  expect(await charged()).toEqual(['stopped', 11]);
});

it('a reboot while the host cannot be asked costs nothing from the first pass on', async () => {
  host.fault = new HostUnreachable('no route');
  await minutes(5);
  await fixture.command(tenant, machine, 'reboot');
  await minutes(60);
  expect(await charged()).toEqual(['running', 11]);
});

it('a reboot at the beginning of an outage of the host costs nothing', async () => {
  host.fault = new HostUnreachable('no route');
  await fixture.command(tenant, machine, 'reboot');
  await minutes(15);
  expect(await charged()).toEqual(['rebooting', 10]);
  await minutes(45);
  expect(await charged()).toEqual(['running', 10]);
});

it('a machine that stops while accounts does not answer is charged until then', async () => {
  fixture.loseEveryNthResponse = 1;
  await minutes(60);
  host.sees = 'stopped';
  await minutes(1);
  fixture.loseEveryNthResponse = 0;
  await minutes(5);
  expect(await charged()).toEqual(['stopped', 71]);
});

it('a machine that outlives an outage of the platform is charged for all of it', async () => {
  fixture.nowMs += OUTAGE_MS;
  await minutes(1);
  expect(await charged()).toEqual(['running', 10 + OUTAGE_MS / MINUTE_MS + 1]);
});

it.each(['stopped', 'gone', 'broken'] as const)(
  'a machine that is %s after an outage is charged up to the last settlement before it',
  async (sees) => {
    fixture.nowMs += OUTAGE_MS;
    host.sees = sees;
    await fixture.run('settle-instances');
    await minutes(6);
    const [state, minutesCharged] = await charged();
    expect(state).not.toBe('running');
    expect(minutesCharged).toBe(10);
  },
);

describe('a command at once after an outage of the platform with its host', () => {
  beforeEach(() => {
    fixture.nowMs += OUTAGE_MS;
  });

  it.each(['stop', 'reboot'] as const)('to %s finds the machine stopped, and costs nothing', async (command) => {
    host.sees = 'stopped';
    expect(await fixture.command(tenant, machine, command).catch(errorCode)).toBe('CONFLICT');
    await minutes(2);
    expect(await charged()).toEqual(['stopped', 10]);
  });

  it.each([
    ['stop', 'stopped', 10],
    ['reboot', 'running', 12],
    ['terminate', 'terminated', 10],
  ] as const)('to %s while the host cannot be asked costs nothing of it', async (command, state, cost) => {
    host.fault = new HostUnreachable('no route');
    await fixture.command(tenant, machine, command);
    Object.assign(host, { fault: undefined, sees: { stop: 'stopped', reboot: 'running', terminate: 'gone' }[command] });
    await minutes(2);
    expect(await charged()).toEqual([state, cost]);
  });

  it('to stop a machine that outlived it is charged for all of it', async () => {
    await fixture.command(tenant, machine, 'stop');
    host.sees = 'stopped';
    await minutes(2);
    expect(await charged()).toEqual(['stopped', 10 + OUTAGE_MS / MINUTE_MS]);
  });
});

it('a command that no worker ran for longer than a step may take is given up no sooner than others', async () => {
  await fixture.command(tenant, machine, 'stop');
  host.sees = 'stopped';
  await minutes(1);
  await fixture.command(tenant, machine, 'start');
  fixture.nowMs += OUTAGE_MS;
  host.fault = new HostUnreachable('it restarts too');
  await minutes(15);
  const statusOf = async () => (await fixture.machine(tenant, machine)).status;
  expect(await statusOf()).toBe('starting');
  await minutes(10);
  expect(await statusOf()).toBe('stopped');
  await fixture.command(tenant, machine, 'start');
  await minutes(15);
  expect(await statusOf()).toBe('starting');
  host.reset();
  await minutes(2);
  expect(await statusOf()).toBe('running');
});
