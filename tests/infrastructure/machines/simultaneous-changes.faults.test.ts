import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setWarning } from '../../../subgraphs/infrastructure/machines/billing/billing.actions.js';
import { spawnInstance } from '../../../subgraphs/infrastructure/machines/command/spawn.actions.js';
import { MachineFixture } from '../../kit/machines/machine-fixture.js';
import { SSH_KEY } from '../../kit/machines/machine.js';
import { until } from '../../kit/watch.js';

let fixture: MachineFixture;
beforeAll(async () => {
  fixture = await MachineFixture.open();
}, 60_000);
afterAll(() => fixture.close());

const WAITS = {
  name: 'waits-of-the-tests',
  text: `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
};

describe('a new warning threshold', () => {
  it('waits for a change of state that has locked the machine', async () => {
    const tenant = await fixture.tenant('100');
    const machine = await fixture.spawn(tenant, '1');
    const { userId, id } = machine;
    await fixture.advance(60_000);
    const { database } = fixture.context;
    let warning = Promise.resolve();
    await database.change(async (transaction) => {
      await transaction.execute('SELECT FROM infrastructure.vm_instance WHERE id = $1 FOR UPDATE', [id]);
      warning = setWarning(database, { userId, id, minutes: 90 });
      await until(async () => (await fixture.ledger.rows(WAITS, [])).length > 0);
      await transaction.execute('SELECT FROM infrastructure.vm_billing WHERE instance_id = $1 FOR UPDATE', [id]);
    });
    await warning;
    expect((await fixture.billing(tenant, machine)).warningMinutes).toBe(90);
  });
});

describe('requests for the last machine that a user may have', () => {
  it('with one idempotency key all return it', async () => {
    const tenant = await fixture.tenant('100');
    const { id, userId } = await fixture.spawn(tenant, '1');
    const { database } = fixture.context;
    const columns = `user_id, flavor_id, image_id, flavor_name, cpu_cores, memory_mb, disk_gb, image_name, ssh_public_key, request_hash, created_at, updated_at`;
    const [{ flavorId } = { flavorId: 0 }] = await database.change((transaction) =>
      transaction.execute<{ flavorId: number }>(
        `INSERT INTO infrastructure.vm_instance (uuid, name, ${columns})
         SELECT gen_random_uuid(), 'copy', ${columns} FROM infrastructure.vm_instance, generate_series(1, 98)
          WHERE id = $1 RETURNING flavor_id AS "flavorId"`,
        [id],
      ),
    );
    const rest = { imageId: 1, applicationId: null, sshPublicKey: SSH_KEY, name: null, idempotencyKey: 'one' };
    const spawns = Array.from({ length: 8 }, () => spawnInstance(fixture.context, userId, { flavorId, ...rest }));
    const ids = (await Promise.all(spawns)).map((machine) => machine.id);
    expect(new Set(ids).size).toBe(1);
  });
});
