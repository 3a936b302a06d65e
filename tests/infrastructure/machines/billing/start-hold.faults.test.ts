import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { inUnits } from '../../../../subgraphs/infrastructure/credits.rules.js';
import { MachineFixture } from '../../../kit/machines/machine-fixture.js';
import { OddHost } from '../../../kit/machines/odd-host.js';

const MINUTE_MS = 60_000;

let host: OddHost;
let fixture: MachineFixture;
beforeAll(async () => {
  host = new OddHost();
  fixture = await MachineFixture.open(host);
}, 60_000);
afterAll(() => fixture.close());

it('the hour that a start holds stays held while the machine starts, and the disk is charged at its price', async () => {
  const tenant = await fixture.tenant('20');
  const machine = await fixture.spawn(tenant, '9', '0.6');
  await fixture.advance(5_000);
  await fixture.command(tenant, machine, 'stop');
  host.sees = 'stopped';
  await fixture.advance(5_000);
  await fixture.command(tenant, machine, 'start');
  const before = await fixture.billing(tenant, machine);
  for (let minute = 0; minute < 10; minute++) {
    await fixture.advance(MINUTE_MS);
    await fixture.run('settle-instances');
    expect(inUnits((await fixture.credits(tenant)).held)).toBeGreaterThan(inUnits('8.8'));
  }
  expect((await fixture.machine(tenant, machine)).status).toBe('starting');
  const after = await fixture.billing(tenant, machine);
  expect(after.stoppedSeconds - before.stoppedSeconds).toBe(600);
  expect(Number(after.chargedSoFar) - Number(before.chargedSoFar)).toBeCloseTo(0.1, 2);
  host.sees = 'running';
  await fixture.advance(MINUTE_MS);
  expect((await fixture.machine(tenant, machine)).status).toBe('running');
});
