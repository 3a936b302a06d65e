import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorCode } from '../../../../kernel/errors.js';
import { PLACE_HOLD } from '../../../../subgraphs/infrastructure/calls.js';
import { asDecimal, costOf, inUnits, secondsFor } from '../../../../subgraphs/infrastructure/credits.rules.js';
import { setWarning } from '../../../../subgraphs/infrastructure/machines/billing/billing.actions.js';
import { MachineFixture, type Tenant } from '../../../kit/machines/machine-fixture.js';
import { listInstances } from '../../../../subgraphs/infrastructure/machines/instance/instance.actions.js';
import type { VmInstance } from '../../../../subgraphs/infrastructure/machines/instance/instance.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let fixture: MachineFixture;
beforeAll(async () => {
  fixture = await MachineFixture.open();
}, 60_000);
afterAll(() => fixture.close());

/** Lets minutes pass, each with its settlement. */
async function minutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    await fixture.advance(MINUTE_MS);
    await fixture.run('settle-instances');
    await fixture.advance(0);
  }
}

/** A machine that runs and costs so much an hour, of a new tenant. */
async function running(credits: string, price: string): Promise<{ tenant: Tenant; machine: VmInstance }> {
  const tenant = await fixture.tenant(credits);
  const machine = await fixture.spawn(tenant, price);
  await fixture.advance(5_000);
  expect((await fixture.machine(tenant, machine)).status).toBe('running');
  return { tenant, machine };
}

async function end(tenant: Tenant, machine: VmInstance): Promise<void> {
  await fixture.command(tenant, machine, 'terminate');
  await fixture.advance(5_000);
}

describe('a machine that runs', () => {
  it('has an hour held instead of the ten credits of its spawn, and is charged each minute', async () => {
    const { tenant, machine } = await running('100', '3.6');
    expect(await fixture.credits(tenant)).toEqual({ balance: '100', held: '3.6' });
    await minutes(1);
    const { ranSeconds, chargedSoFar } = await fixture.billing(tenant, machine);
    expect(chargedSoFar).toBe(asDecimal(costOf(BigInt(ranSeconds), inUnits('3.6'))));
    expect(await fixture.credits(tenant)).toEqual({
      balance: asDecimal(inUnits('100') - inUnits(chargedSoFar)),
      held: asDecimal(inUnits('3.6') - inUnits(chargedSoFar)),
    });
    await end(tenant, machine);
  });

  it('tells when all machines together have used the credits up', async () => {
    const { tenant, machine } = await running('100', '1');
    const other = await fixture.spawn(tenant, '3');
    await fixture.advance(5_000);
    await minutes(1);
    const { emptyAt, state } = await fixture.billing(tenant, machine);
    expect(state).toBe('charging');
    expect(((emptyAt?.getTime() ?? 0) - fixture.nowMs) / HOUR_MS).toBeCloseTo(25, 1);
    await end(tenant, machine);
    await end(tenant, other);
  });

  it('tells the same end while an hour is held of which it does not know yet', async () => {
    const { tenant, machine } = await running('100', '1');
    const emptyAt = async () => ((await fixture.billing(tenant, machine)).emptyAt?.getTime() ?? 0) - fixture.nowMs;
    const before = await emptyAt();
    // As after a kill between the hold and the note of it.
    await fixture.context.database.change((transaction) =>
      transaction.execute(`UPDATE infrastructure.vm_billing SET hold_state = 'requested' WHERE instance_id = $1`, [
        machine.id,
      ]),
    );
    // Figures are good for a second.
    fixture.nowMs += 2_000;
    expect(await emptyAt()).toBe(before);
    await end(tenant, machine);
  });

  it('costs nothing while it is stopped', async () => {
    const { tenant, machine } = await running('100', '3.6');
    await minutes(2);
    await fixture.command(tenant, machine, 'stop');
    await fixture.advance(5_000);
    const before = await fixture.credits(tenant);
    await fixture.advance(100 * HOUR_MS);
    await minutes(1);
    expect([await fixture.credits(tenant), before.held]).toEqual([before, '0']);
    expect((await fixture.billing(tenant, machine)).state).toBe('stopped');
  });

  it('is made up for where no minute was settled for a day', async () => {
    const { tenant, machine } = await running('100', '1');
    await fixture.advance(24 * HOUR_MS);
    await minutes(1);
    const { ranSeconds, chargedSoFar } = await fixture.billing(tenant, machine);
    expect(chargedSoFar).toBe(asDecimal(costOf(BigInt(ranSeconds), inUnits('1'))));
    await end(tenant, machine);
  });
});

describe('a machine that is gone', () => {
  it('is listed for an hour yet, then found by its id only', async () => {
    const { tenant, machine } = await running('100', '1');
    await end(tenant, machine);
    const listed = () => listInstances(fixture.context.database, tenant.userId, fixture.now);
    expect((await listed()).map(({ status }) => status)).toEqual(['terminated']);
    await fixture.advance(HOUR_MS);
    expect([await listed(), (await fixture.machine(tenant, machine)).status]).toEqual([[], 'terminated']);
  });
});

describe('two starts at once', () => {
  it('let one through and hold an hour once', async () => {
    const { tenant, machine } = await running('100', '1');
    await fixture.command(tenant, machine, 'stop');
    await fixture.advance(5_000);
    const tried = await Promise.all(
      Array.from({ length: 10 }, () =>
        fixture.command(tenant, machine, 'start').then(({ status }) => status, errorCode),
      ),
    );
    expect(tried.filter((outcome) => outcome !== 'CONFLICT')).toEqual(['starting']);
    expect((await fixture.credits(tenant)).held).toBe('1');
    await end(tenant, machine);
    expect((await fixture.credits(tenant)).held).toBe('0');
  });
});

describe('a machine whose owner has no credits left', () => {
  let tenant: Tenant;
  let machine: VmInstance;
  beforeAll(async () => {
    ({ tenant, machine } = await running('10', '4'));
    await minutes(89);
  }, 60_000);

  it('is told of a while before', async () => {
    expect(await fixture.notifications(tenant)).toEqual([]);
    await minutes(3);
    expect((await fixture.notifications(tenant)).map(({ kind }) => kind)).toEqual(['low_credit']);
    expect((await fixture.billing(tenant, machine)).state).toBe('low');
  });

  it('is shut down at the second when they end, and kept', async () => {
    await minutes(60);
    const { ranSeconds, chargedSoFar, state } = await fixture.billing(tenant, machine);
    const seconds = secondsFor(inUnits('10'), inUnits('4'));
    const { status, wantedState, errorMessage } = await fixture.machine(tenant, machine);
    expect({ status, wantedState, state, ranSeconds }).toEqual({
      status: 'stopped',
      wantedState: 'stopped',
      state: 'empty',
      ranSeconds: Number(seconds),
    });
    expect([chargedSoFar, errorMessage]).toEqual(['10', expect.stringContaining('credits ran out')]);
    expect(await fixture.credits(tenant)).toEqual({ balance: '0', held: '0' });
  });

  it('is told of it, once', async () => {
    expect((await fixture.notifications(tenant)).map(({ kind }) => kind)).toEqual(['low_credit', 'zero_balance']);
  });

  it('cannot be started until there are credits for an hour', async () => {
    expect(await fixture.command(tenant, machine, 'start').catch(errorCode)).toBe('PAYMENT_REQUIRED');
    await fixture.grant(tenant, '4');
    expect((await fixture.command(tenant, machine, 'start')).status).toBe('starting');
    await fixture.advance(5_000);
    await end(tenant, machine);
    expect((await fixture.credits(tenant)).held).toBe('0');
  });
});

describe('a machine that ran on while nobody settled', () => {
  it('is charged what there is when its owner stops it, owes nothing, and is not said to be shut down', async () => {
    // Ten credits pay for 36 seconds.
    const { tenant, machine } = await running('10', '1000');
    fixture.dropJobs();
    await fixture.advance(5 * MINUTE_MS);
    await fixture.command(tenant, machine, 'stop');
    await fixture.advance(MINUTE_MS);
    await minutes(2);
    const { ranSeconds, chargedSoFar, state } = await fixture.billing(tenant, machine);
    expect({ ranSeconds, chargedSoFar, state }).toEqual({ ranSeconds: 36, chargedSoFar: '10', state: 'stopped' });
    expect(await fixture.credits(tenant)).toEqual({ balance: '0', held: '0' });
    expect((await fixture.notifications(tenant)).map(({ kind }) => kind)).not.toContain('zero_balance');
  });

  it('is charged what there is and stopped when somebody settles again', async () => {
    const { tenant, machine } = await running('11', '1000');
    fixture.dropJobs();
    await fixture.advance(5 * MINUTE_MS);
    await minutes(2);
    const { ranSeconds, chargedSoFar, state } = await fixture.billing(tenant, machine);
    const cost = asDecimal(costOf(39n, inUnits('1000')));
    expect({ ranSeconds, chargedSoFar, state }).toEqual({ ranSeconds: 39, chargedSoFar: cost, state: 'empty' });
    expect(await fixture.credits(tenant)).toEqual({ balance: asDecimal(inUnits('11') - inUnits(cost)), held: '0' });
  });
});

describe('credits that a start set aside before it broke off', () => {
  it('are given back, and the machine is charged all the same', async () => {
    const { tenant, machine } = await running('100', '1');
    const expiresAt = new Date(fixture.nowMs + HOUR_MS).toISOString();
    const left = { userId: tenant.userId, reference: `${machine.uuid}:2`, credits: '2', reason: 'a start', expiresAt };
    await fixture.context.callSubgraph(PLACE_HOLD, left, 'of-the-tests');
    // The hour that is held ends, and the next hold finds its number taken.
    await minutes(57);
    const { ranSeconds, chargedSoFar } = await fixture.billing(tenant, machine);
    expect(chargedSoFar).toBe(asDecimal(costOf(BigInt(ranSeconds), inUnits('1'))));
    await end(tenant, machine);
    expect((await fixture.credits(tenant)).held).toBe('0');
  });
});

describe('credits that pay for no whole number of seconds', () => {
  it('leave the rest with their owner', async () => {
    const { tenant, machine } = await running('10', '7');
    await minutes(90);
    const seconds = secondsFor(inUnits('10'), inUnits('7'));
    const { ranSeconds, chargedSoFar } = await fixture.billing(tenant, machine);
    const cost = costOf(seconds, inUnits('7'));
    expect([ranSeconds, chargedSoFar]).toEqual([Number(seconds), asDecimal(cost)]);
    expect(await fixture.credits(tenant)).toEqual({ balance: asDecimal(inUnits('10') - cost), held: '0' });
  });
});

describe('a warning', () => {
  it('comes at the level that its owner set, and again after credits were added', async () => {
    const { tenant, machine } = await running('10', '1');
    await setWarning(fixture.context.database, { userId: tenant.userId, id: machine.id, minutes: 590 });
    await minutes(12);
    expect((await fixture.notifications(tenant)).length).toBe(1);
    await fixture.grant(tenant, '1');
    await minutes(1);
    await minutes(65);
    expect((await fixture.notifications(tenant)).map(({ kind }) => kind)).toEqual(['low_credit', 'low_credit']);
    await end(tenant, machine);
  });
});
