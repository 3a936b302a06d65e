import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { settleInstance } from '../../../../subgraphs/infrastructure/machines/billing/settle.actions.js';
import { asDecimal, inUnits } from '../../../../subgraphs/infrastructure/credits.rules.js';
import type { VmInstance } from '../../../../subgraphs/infrastructure/machines/instance/instance.js';
import { MachineFixture, type Tenant } from '../../../kit/machines/machine-fixture.js';

const MONTH_MS = 31 * 24 * 3_600_000;
const RESTARTS = 50;
/** Not a number of credits a second that can be written down. */
const PRICE = '0.070000000000000001';
const STOPPED_PRICE = '0.013000000000000007';
const GRANTED = '100';

/** The same numbers each time, 0 to 1. Source: Park and Miller, 1988 */
function* numbers(): Generator<number, never> {
  for (let seed = 20_261_121; ;) {
    seed = (seed * 48_271) % 2_147_483_647;
    yield seed / 2_147_483_647;
  }
}

let fixture: MachineFixture;
let tenant: Tenant;
let machine: VmInstance;
/** Milliseconds of each price, and which one counts since when. */
const spentMs = { running: 0, stopped: 0 };
let present: { readonly price: keyof typeof spentMs; readonly since: number } | undefined;
let reboots = 0;
let starts = 0;

const PRICES: Readonly<Record<string, keyof typeof spentMs>> = {
  running: 'running',
  rebooting: 'running',
  stopping: 'stopped',
  stopped: 'stopped',
  starting: 'stopped',
};

/** Keeps the time on its own: by the states that the machine is seen in. */
async function look(): Promise<void> {
  const price = PRICES[(await fixture.machine(tenant, machine)).status];
  if (price === present?.price) return;
  if (present) spentMs[present.price] += fixture.nowMs - present.since;
  present = price && { price, since: fixture.nowMs };
}

/** Settles, sometimes twice at once; an answer may be lost on the way, then the queue does it again. */
async function settle(times: number): Promise<void> {
  const tries = Array.from({ length: times }, () => settleInstance(fixture.context, machine));
  await Promise.allSettled(tries);
  await look();
}

beforeAll(async () => {
  fixture = await MachineFixture.open();
  tenant = await fixture.tenant(GRANTED);
  machine = await fixture.spawn(tenant, PRICE, STOPPED_PRICE);
  fixture.afterJob = look;
  fixture.loseEveryNthResponse = 17;
  const random = numbers();
  const next = (least: number, most: number) => Math.floor(least + random.next().value * (most - least));
  await fixture.advance(5_000);
  for (let restart = 0; restart < RESTARTS; restart++) {
    for (let tick = 0; tick < 6; tick++) {
      await fixture.advance(next(1, MONTH_MS / RESTARTS / 3));
      await settle(next(1, 4));
    }
    if (restart % 3 === 0) {
      await fixture.command(tenant, machine, 'reboot');
      reboots += 1;
      await fixture.advance(next(3_000, 9_000));
    } else {
      await fixture.command(tenant, machine, 'stop');
      await look();
      await fixture.advance(next(3_001, 3_600_000));
      fixture.loseEveryNthResponse = 0;
      await fixture.command(tenant, machine, 'start');
      fixture.loseEveryNthResponse = 17;
      starts += 1;
      await fixture.advance(next(3_000, 9_000));
    }
  }
  await fixture.advance(Math.max(0, MONTH_MS - (fixture.nowMs - fixture.start.getTime())));
  await fixture.command(tenant, machine, 'terminate');
  await look();
  await fixture.advance(60_000);
}, 300_000);
afterAll(() => fixture.close());

describe('a simulated month with fifty restarts, settlements at once and answers that get lost', () => {
  it('was one', () => {
    expect(reboots + starts).toBe(RESTARTS);
    expect(fixture.nowMs - fixture.start.getTime()).toBeGreaterThanOrEqual(MONTH_MS);
    expect(spentMs.running).toBeGreaterThan(0.8 * MONTH_MS);
    expect(spentMs.stopped).toBeGreaterThan(3_600_000);
  });

  it('counts the seconds that the machine ran, and those that it was stopped', async () => {
    const { ranSeconds, stoppedSeconds, state } = await fixture.billing(tenant, machine);
    expect({ ranSeconds, stoppedSeconds, state }).toEqual({
      ranSeconds: Math.floor(spentMs.running / 1_000),
      stoppedSeconds: Math.floor(spentMs.stopped / 1_000),
      state: 'ended',
    });
  });

  it('charges seconds times price to the last digit', async () => {
    const at = (ms: number, price: string) => BigInt(Math.floor(ms / 1_000)) * inUnits(price);
    const cost = asDecimal((at(spentMs.running, PRICE) + at(spentMs.stopped, STOPPED_PRICE)) / 3_600n);
    const { chargedSoFar } = await fixture.billing(tenant, machine);
    const { balance, held } = await fixture.credits(tenant);
    expect({ chargedSoFar, balance, held }).toEqual({
      chargedSoFar: cost,
      balance: asDecimal(inUnits(GRANTED) - inUnits(cost)),
      held: '0',
    });
  });

  it('made the machine once', async () => {
    const made = {
      name: 'made',
      text: 'SELECT count(*)::integer, sum(boots)::integer AS boots FROM infrastructure.simulated_machine',
    };
    expect(await fixture.context.database.rows(made)).toEqual([{ count: 1, boots: 1 + reboots + starts }]);
  });
});
