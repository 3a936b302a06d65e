import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorCode } from '../../../../kernel/errors.js';
import { asDecimal, inUnits, secondsFor } from '../../../../subgraphs/infrastructure/credits.rules.js';
import type { VmInstance } from '../../../../subgraphs/infrastructure/machines/instance/instance.js';
import { settleInstance } from '../../../../subgraphs/infrastructure/machines/billing/settle.actions.js';
import { transitionInstance } from '../../../../subgraphs/infrastructure/machines/instance/transition.actions.js';
import { MachineFixture, type Tenant } from '../../../kit/machines/machine-fixture.js';
import { until } from '../../../kit/watch.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const WAITING = {
  name: 'waiting-of-the-tests',
  text: `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
};

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

interface Owned {
  readonly tenant: Tenant;
  readonly machine: VmInstance;
}

/** A machine that was stopped the moment after it ran, and costs so much an hour while it is. */
async function stopped(credits: string, price: string, stoppedPrice: string): Promise<Owned> {
  const tenant = await fixture.tenant(credits);
  const machine = await fixture.spawn(tenant, price, stoppedPrice);
  await fixture.advance(5_000);
  await fixture.command(tenant, machine, 'stop');
  await fixture.advance(5_000);
  expect((await fixture.machine(tenant, machine)).status).toBe('stopped');
  return { tenant, machine };
}

/** What the seconds that are shown cost at these prices. */
async function costAt({ tenant, machine }: Owned, price: string, stoppedPrice: string): Promise<bigint> {
  const { ranSeconds, stoppedSeconds } = await fixture.billing(tenant, machine);
  return (BigInt(ranSeconds) * inUnits(price) + BigInt(stoppedSeconds) * inUnits(stoppedPrice)) / 3_600n;
}

async function end({ tenant, machine }: Owned): Promise<void> {
  await fixture.command(tenant, machine, 'terminate');
  await fixture.advance(5_000);
}

describe('a stopped machine whose flavor has a price for that', () => {
  it('is charged by the second, with an hour of it held, and tells when the credits end', async () => {
    const owned = await stopped('100', '3.6', '0.9');
    await minutes(10);
    const { tenant, machine } = owned;
    const { chargedSoFar, state, stoppedSeconds, emptyAt, ...prices } = await fixture.billing(tenant, machine);
    expect(prices).toMatchObject({ creditsPerHour: '3.6', stoppedCreditsPerHour: '0.9' });
    expect([state, stoppedSeconds > 600]).toEqual(['charging', true]);
    expect(chargedSoFar).toBe(asDecimal(await costAt(owned, '3.6', '0.9')));
    const { balance, held } = await fixture.credits(tenant);
    expect(balance).toBe(asDecimal(inUnits('100') - inUnits(chargedSoFar)));
    expect(inUnits(held)).toBeLessThanOrEqual(inUnits('0.9'));
    expect(((emptyAt?.getTime() ?? 0) - fixture.nowMs) / HOUR_MS).toBeCloseTo(Number(balance) / 0.9, 1);
    await end(owned);
    expect((await fixture.credits(tenant)).held).toBe('0');
  });

  it('is told the sum of it when it ends, and costs nothing any more', async () => {
    const owned = await stopped('100', '1', '0.5');
    await minutes(90);
    await end(owned);
    const { tenant, machine } = owned;
    const cost = await costAt(owned, '1', '0.5');
    await minutes(120);
    const { chargedSoFar, state, emptyAt } = await fixture.billing(tenant, machine);
    expect({ chargedSoFar, state, emptyAt }).toEqual({ chargedSoFar: asDecimal(cost), state: 'ended', emptyAt: null });
    expect(await fixture.credits(tenant)).toEqual({ balance: asDecimal(inUnits('100') - cost), held: '0' });
  });

  it('is made up for where no minute was settled for a day', async () => {
    const owned = await stopped('100', '1', '0.5');
    fixture.dropJobs();
    await fixture.advance(24 * HOUR_MS);
    await minutes(1);
    const { chargedSoFar, stoppedSeconds } = await fixture.billing(owned.tenant, owned.machine);
    expect(stoppedSeconds).toBeGreaterThan(24 * 3_600);
    expect(chargedSoFar).toBe(asDecimal(await costAt(owned, '1', '0.5')));
    await end(owned);
  });

  it('goes over to the other price at the moment when it runs', async () => {
    const owned = await stopped('100', '3.6', '0.36');
    const { tenant, machine } = owned;
    await minutes(3);
    await fixture.command(tenant, machine, 'start');
    expect((await fixture.credits(tenant)).held).toBe('3.6');
    await fixture.advance(5_000);
    const before = await fixture.billing(tenant, machine);
    await minutes(5);
    const after = await fixture.billing(tenant, machine);
    expect([after.ranSeconds - before.ranSeconds, after.stoppedSeconds - before.stoppedSeconds]).toEqual([300, 0]);
    expect(after.chargedSoFar).toBe(asDecimal(await costAt(owned, '3.6', '0.36')));
    await end(owned);
  });

  it('counts what all machines cost that run or are stopped at a price', async () => {
    const owned = await stopped('100', '7', '1');
    const other = await fixture.spawn(owned.tenant, '3', '1');
    await fixture.advance(5_000);
    await minutes(1);
    const { emptyAt } = await fixture.billing(owned.tenant, owned.machine);
    expect(((emptyAt?.getTime() ?? 0) - fixture.nowMs) / HOUR_MS).toBeCloseTo(25, 0);
    await end(owned);
    await end({ tenant: owned.tenant, machine: other });
  });

  it('can be started where its own hold is part of the hour that a start needs', async () => {
    // Ten credits are needed to spawn; what is above three and a half goes elsewhere.
    const owned = await stopped('10', '3', '2.5');
    await fixture.grant(owned.tenant, '-6.5');
    await minutes(1);
    expect((await fixture.command(owned.tenant, owned.machine, 'start')).status).toBe('starting');
    expect((await fixture.credits(owned.tenant)).held).toBe('3');
    await fixture.advance(5_000);
    await end(owned);
  });

  it('holds an hour once for ten starts at once, while it is settled', async () => {
    const { tenant, machine } = await stopped('100', '1', '0.5');
    await minutes(1);
    const starts = Array.from({ length: 10 }, () => fixture.command(tenant, machine, 'start'));
    const settlements = Array.from({ length: 5 }, () => settleInstance(fixture.context, machine));
    const tried = await Promise.all(starts.map((start) => start.then(({ status }) => status, errorCode)));
    await Promise.all(settlements);
    expect(tried.filter((outcome) => outcome !== 'CONFLICT')).toEqual(['starting']);
    expect((await fixture.credits(tenant)).held).toBe('1');
    await end({ tenant, machine });
    expect((await fixture.credits(tenant)).held).toBe('0');
  });

  it('keeps its hold when a settlement has begun before it was stopped, as it is not unseen', async () => {
    const tenant = await fixture.tenant('100');
    const machine = await fixture.spawn(tenant, '1', '0.9');
    await fixture.advance(5_000);
    await minutes(1);
    const { held } = await fixture.credits(tenant);
    let settlement: Promise<void> | undefined;
    await fixture.context.database.change(async (transaction) => {
      const transition = { userId: tenant.userId, id: machine.id, to: 'stopping', desired: 'stopped' } as const;
      await transitionInstance(transaction, fixture.context.jobs, transition, fixture.now);
      settlement = settleInstance(fixture.context, machine);
      await until(async () => (await fixture.ledger.rows(WAITING)).length > 0);
    });
    await settlement;
    expect((await fixture.credits(tenant)).held).toBe(held);
    await fixture.advance(5_000);
    await end({ tenant, machine });
  });

  it('costs as much as when it was spawned, whatever the flavor costs since', async () => {
    const owned = await stopped('100', '2', '1');
    const flavors = 'UPDATE infrastructure.vm_flavor SET stopped_credits_per_hour = 0 WHERE id = $1';
    await fixture.context.database.change((transaction) => transaction.execute(flavors, [owned.machine.flavorId]));
    await minutes(10);
    const { chargedSoFar, stoppedCreditsPerHour } = await fixture.billing(owned.tenant, owned.machine);
    expect([chargedSoFar, stoppedCreditsPerHour]).toEqual([asDecimal(await costAt(owned, '2', '1')), '1']);
    await end(owned);
  });
});

describe('a stopped machine that nothing pays for any more', () => {
  let owned: Owned;
  beforeAll(async () => {
    owned = await stopped('10', '40', '40');
    await minutes(20);
  }, 60_000);

  it('stays stopped, is charged for the seconds that were paid for, and owes nothing', async () => {
    const { tenant, machine } = owned;
    const { ranSeconds, stoppedSeconds, chargedSoFar, state, emptyAt } = await fixture.billing(tenant, machine);
    const { status } = await fixture.machine(tenant, machine);
    expect({ status, state, emptyAt, chargedSoFar }).toEqual({
      status: 'stopped',
      state: 'empty',
      emptyAt: null,
      chargedSoFar: '10',
    });
    expect(ranSeconds + stoppedSeconds).toBe(Number(secondsFor(inUnits('10'), inUnits('40'))));
    expect(await fixture.credits(tenant)).toEqual({ balance: '0', held: '0' });
  });

  it('is not said to be shut down', async () => {
    expect((await fixture.notifications(owned.tenant)).map(({ kind }) => kind)).not.toContain('zero_balance');
  });

  it('cannot be started, and is charged again from when there are credits', async () => {
    const { tenant, machine } = owned;
    expect(await fixture.command(tenant, machine, 'start').catch(errorCode)).toBe('PAYMENT_REQUIRED');
    const before = await fixture.billing(tenant, machine);
    await fixture.grant(tenant, '60');
    await minutes(1);
    expect(await fixture.billing(tenant, machine)).toMatchObject({
      state: 'charging',
      stoppedSeconds: before.stoppedSeconds,
    });
    await minutes(15);
    const after = await fixture.billing(tenant, machine);
    expect([after.stoppedSeconds - before.stoppedSeconds, after.chargedSoFar]).toEqual([900, '20']);
    expect((await fixture.command(tenant, machine, 'start')).status).toBe('starting');
    await fixture.advance(5_000);
    expect((await fixture.machine(tenant, machine)).status).toBe('running');
  });

  it('is shut down at zero as others are, and its disk costs nothing then', async () => {
    await minutes(80);
    const { tenant, machine } = owned;
    const { chargedSoFar, state } = await fixture.billing(tenant, machine);
    expect([chargedSoFar, state, (await fixture.machine(tenant, machine)).status]).toEqual(['70', 'empty', 'stopped']);
    const notices = (await fixture.notifications(tenant)).filter(({ kind }) => kind === 'zero_balance');
    expect(notices.length).toBe(1);
    await end(owned);
    expect(await fixture.credits(tenant)).toEqual({ balance: '0', held: '0' });
  });
});

describe('a stopped machine at a price that is less than can be counted in five minutes', () => {
  it('is charged all the same', async () => {
    const owned = await stopped('100', '1', '0.000000000000000002');
    await fixture.advance(3 * HOUR_MS);
    await minutes(1);
    await fixture.advance(3 * HOUR_MS);
    await minutes(1);
    const { chargedSoFar } = await fixture.billing(owned.tenant, owned.machine);
    expect(chargedSoFar).toBe(asDecimal(await costAt(owned, '1', '0.000000000000000002')));
    await end(owned);
  });
});
