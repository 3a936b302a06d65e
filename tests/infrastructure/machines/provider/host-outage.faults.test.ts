import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { errorCode } from '../../../../kernel/errors.js';
import { HostUnreachable } from '../../../../subgraphs/infrastructure/machines/provider/provider.js';
import type { VmInstance } from '../../../../subgraphs/infrastructure/machines/instance/instance.js';
import { MachineFixture, type Tenant } from '../../../kit/machines/machine-fixture.js';
import { OddHost } from '../../../kit/machines/odd-host.js';

const MINUTE_MS = 60_000;
const OUTAGE_MS = 8 * 60 * MINUTE_MS;

let host: OddHost;
let room: MachineFixture;
let tenant: Tenant;
let machine: VmInstance;
beforeAll(async () => {
  host = new OddHost();
  room = await MachineFixture.open(host);
}, 60_000);
afterAll(() => room.close());
beforeEach(async () => {
  host.reset();
  room.forget();
  room.loseEachAnswerOf = 0;
  tenant = await room.tenant('100');
  machine = await room.spawn(tenant, '1');
  await room.advance(1_000);
  await minutes(10);
});

// The jobs of each minute go through all machines that exist.
afterEach(async () => {
  host.reset();
  host.sees = 'gone';
  const { status } = await room.machine(tenant, machine);
  if (status !== 'terminated') await room.command(tenant, machine, 'terminate');
  await minutes(2);
  expect((await room.machine(tenant, machine)).status).toBe('terminated');
});

/** Runs the jobs of each minute. */
async function minutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    await room.advance(MINUTE_MS);
    for (const name of ['watch-instances', 'settle-instances']) await room.run(name);
    await room.advance(0);
  }
}

/** The state, and the minutes that are charged. */
async function charged(): Promise<[string, number]> {
  const { chargedSoFar } = await room.billing(tenant, machine);
  return [(await room.machine(tenant, machine)).status, Math.round(Number(chargedSoFar) * 60)];
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

it('a machine that is not seen running has nothing held for it, and an hour again when it is seen', async () => {
  host.fault = new HostUnreachable('no route');
  await minutes(2);
  expect((await room.credits(tenant)).held).toBe('0');
  host.reset();
  await room.run('watch-instances');
  await room.advance(0);
  expect((await room.credits(tenant)).held).toBe('1');
  await minutes(10);
  expect(await charged()).toEqual(['running', 21]);
});

it.each(['running', 'rebooting'])(
  'a %s machine that is not seen stays in the estimates of its owner',
  async (state) => {
    const other = await room.spawn(tenant, '3');
    await room.advance(1_000);
    host.beforeLook = () => Promise.reject(new HostUnreachable('no route'));
    await room.run('watch-instances');
    host.beforeLook = () => Promise.resolve();
    await room.run('look-at-instance', { uuid: other.uuid });
    host.fault = new HostUnreachable('no route');
    if (state === 'rebooting') await room.command(tenant, machine, 'reboot');
    await room.run('settle-instances');
    const [unseen, seen] = [await room.billing(tenant, machine), await room.billing(tenant, other)];
    expect([(await room.machine(tenant, machine)).status, unseen.state, seen.state]).toEqual([
      state,
      'waiting',
      'charging',
    ]);
    const { balance } = await room.credits(tenant);
    expect(((seen.emptyAt?.getTime() ?? 0) - room.nowMs) / (60 * MINUTE_MS)).toBeCloseTo(Number(balance) / 4, 1);
  },
);

it('a machine whose host cannot be asked can be stopped, and is charged as before', async () => {
  host.fault = new HostUnreachable('no route');
  await minutes(30);
  await room.command(tenant, machine, 'stop');
  host.reset();
  host.sees = 'stopped';
  await minutes(2);
  expect(await charged()).toEqual(['stopped', 11]);
});

it('a reboot while the host cannot be asked costs nothing from the first pass on', async () => {
  host.fault = new HostUnreachable('no route');
  await minutes(5);
  await room.command(tenant, machine, 'reboot');
  await minutes(60);
  expect(await charged()).toEqual(['running', 11]);
});

it('a reboot at the beginning of an outage of the host costs nothing', async () => {
  host.fault = new HostUnreachable('no route');
  await room.command(tenant, machine, 'reboot');
  await minutes(15);
  expect(await charged()).toEqual(['rebooting', 10]);
  await minutes(45);
  expect(await charged()).toEqual(['running', 10]);
});

it('a machine that stops while accounts does not answer is charged until then', async () => {
  room.loseEachAnswerOf = 1;
  await minutes(60);
  host.sees = 'stopped';
  await minutes(1);
  room.loseEachAnswerOf = 0;
  await minutes(5);
  expect(await charged()).toEqual(['stopped', 71]);
});

it('a machine that outlives an outage of the platform is charged for all of it', async () => {
  room.nowMs += OUTAGE_MS;
  await minutes(1);
  expect(await charged()).toEqual(['running', 10 + OUTAGE_MS / MINUTE_MS + 1]);
});

it.each(['stopped', 'gone', 'broken'] as const)(
  'a machine that is %s after an outage is charged up to the last settlement before it',
  async (sees) => {
    room.nowMs += OUTAGE_MS;
    host.sees = sees;
    await room.run('settle-instances');
    await minutes(6);
    const [state, minutesCharged] = await charged();
    expect(state).not.toBe('running');
    expect(minutesCharged).toBe(10);
  },
);

describe('a command at once after an outage of the platform with its host', () => {
  beforeEach(() => {
    room.nowMs += OUTAGE_MS;
  });

  it.each(['stop', 'reboot'] as const)('to %s finds the machine stopped, and costs nothing', async (command) => {
    host.sees = 'stopped';
    expect(await room.command(tenant, machine, command).catch(errorCode)).toBe('CONFLICT');
    await minutes(2);
    expect(await charged()).toEqual(['stopped', 10]);
  });

  it.each([
    ['stop', 'stopped', 10],
    ['reboot', 'running', 12],
    ['terminate', 'terminated', 10],
  ] as const)('to %s while the host cannot be asked costs nothing of it', async (command, state, cost) => {
    host.fault = new HostUnreachable('no route');
    await room.command(tenant, machine, command);
    Object.assign(host, { fault: undefined, sees: { stop: 'stopped', reboot: 'running', terminate: 'gone' }[command] });
    await minutes(2);
    expect(await charged()).toEqual([state, cost]);
  });

  it('to stop a machine that outlived it is charged for all of it', async () => {
    await room.command(tenant, machine, 'stop');
    host.sees = 'stopped';
    await minutes(2);
    expect(await charged()).toEqual(['stopped', 10 + OUTAGE_MS / MINUTE_MS]);
  });
});
