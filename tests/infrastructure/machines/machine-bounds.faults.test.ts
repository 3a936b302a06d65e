import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { listInstances } from '../../../subgraphs/infrastructure/machines/instance/instance.actions.js';
import { MachineFixture, type Tenant } from '../../kit/machines/machine-fixture.js';

let fixture: MachineFixture;
let tenant: Tenant;
beforeAll(async () => {
  fixture = await MachineFixture.open();
  tenant = await fixture.tenant('1000');
}, 60_000);
afterAll(() => fixture.close());

const HOUR_MS = 3_600_000;

/** Adds terminated machines, which the user created and terminated now. */
async function addTerminated(count: number): Promise<void> {
  const machine = await fixture.spawn(tenant, '1');
  await fixture.command(tenant, machine, 'terminate');
  await fixture.advance(60_000);
  const copy = `INSERT INTO infrastructure.vm_instance (uuid, user_id, name, flavor_id, image_id, flavor_name, cpu_cores, memory_mb,
      disk_gb, image_name, ssh_public_key, wanted_state, state, request_hash, created_at, updated_at)
    SELECT gen_random_uuid(), user_id, name, flavor_id, image_id, flavor_name, cpu_cores, memory_mb, disk_gb, image_name,
      ssh_public_key, wanted_state, state, request_hash, $2, $2
      FROM infrastructure.vm_instance CROSS JOIN generate_series(2, $3) WHERE id = $1`;
  await fixture.context.database.change((transaction) => transaction.execute(copy, [machine.id, fixture.now, count]));
}

const listed = () => listInstances(fixture.context.database, tenant.userId, fixture.now);

it('a list of machines shows all that exist, and the newest 200 of those that were terminated within the hour', async () => {
  const first = await fixture.spawn(tenant, '1');
  await addTerminated(499);
  const rows = await listed();
  expect(rows.length).toBe(201);
  expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toSorted((a, b) => b - a));
  expect(rows.at(-1)?.id).toBe(first.id);
  await fixture.advance(HOUR_MS);
  expect((await listed()).map(({ id }) => id)).toEqual([first.id]);
});

it('a user creates at most 500 machines a day', async () => {
  const refused = { extensions: { code: 'RATE_LIMITED', retryAfter: 3_600 } };
  await expect(fixture.spawn(tenant, '1')).rejects.toMatchObject(refused);
  await fixture.advance(24 * HOUR_MS);
  await expect(fixture.spawn(tenant, '1')).resolves.toMatchObject({ status: 'pending' });
});
