import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { saveApplication } from '../../../../subgraphs/infrastructure/machines/application/application.actions.js';
import { spawnInstance } from '../../../../subgraphs/infrastructure/machines/command/spawn.actions.js';
import type { VmInstance } from '../../../../subgraphs/infrastructure/machines/instance/instance.js';
import type {
  MachineSpec,
  Observation,
  Probe,
  VmProvider,
} from '../../../../subgraphs/infrastructure/machines/provider/provider.js';
import { SSH_KEY } from '../../../kit/machines/machine.js';
import { MachineFixture, type Tenant } from '../../../kit/machines/machine-fixture.js';

/** A host that keeps what it is told to make, and answers probes as the test says. */
class ListeningHost implements VmProvider {
  isWell = false;
  publicIp = '192.0.2.1';
  readonly made: MachineSpec[] = [];
  readonly probed: Probe[] = [];

  create(spec: MachineSpec): Promise<string> {
    this.made.push(spec);
    return Promise.resolve('listening');
  }
  start(): Promise<void> {
    return Promise.resolve();
  }
  stop(): Promise<void> {
    return Promise.resolve();
  }
  reboot(): Promise<void> {
    return Promise.resolve();
  }
  destroy(): Promise<void> {
    return Promise.resolve();
  }
  observe(): Promise<Observation> {
    return Promise.resolve({ state: 'running', publicIp: this.publicIp });
  }
  probe(_machine: unknown, probe: Probe): Promise<boolean> {
    this.probed.push(probe);
    return Promise.resolve(this.isWell);
  }
  console(): Promise<null> {
    return Promise.resolve(null);
  }
}

const TERMS = {
  name: 'Shop',
  slug: 'shop',
  description: 'A shop.',
  logoUrl: null,
  userData: '#!/bin/sh\necho shop\n',
  probePort: 8080,
  probePath: '/health',
};

let host: ListeningHost;
let fixture: MachineFixture;
let tenant: Tenant;
let applicationId: number;
beforeAll(async () => {
  host = new ListeningHost();
  fixture = await MachineFixture.open(host);
  tenant = await fixture.tenant('2000');
  applicationId = (await saveApplication(fixture.context.database, undefined, TERMS)).id;
}, 60_000);
afterAll(() => fixture.close());

function spawn(fields: { readonly applicationId: number | null }): Promise<VmInstance> {
  const rest = { flavorId: 1, imageId: 1, sshPublicKey: SSH_KEY, name: null, idempotencyKey: null };
  return spawnInstance(fixture.context, tenant.userId, { ...rest, ...fields });
}

const seen = async (machine: VmInstance) => (await fixture.machine(tenant, machine)).applicationHealth;

describe('an application', () => {
  it('is set up at the first boot, and its port is reached', async () => {
    await spawn({ applicationId });
    await fixture.advance(60_000);
    expect(host.made.at(-1)).toMatchObject({ parts: [TERMS.userData], ports: [8080], application: 'shop' });
  });

  it('waits until it answers, is healthy while it does, and unhealthy when it does not any more', async () => {
    const machine = await spawn({ applicationId });
    expect(await seen(machine)).toBeNull();
    await fixture.advance(60_000);
    const states = [await seen(machine)];
    for (const isWell of [false, true, true, false, true]) {
      host.isWell = isWell;
      await fixture.run('watch-instances');
      states.push(await seen(machine));
    }
    expect(states).toEqual(['waiting', 'waiting', 'healthy', 'healthy', 'unhealthy', 'healthy']);
    expect(host.probed.at(-1)).toEqual({ port: 8080, path: '/health' });
  });

  it('changes what is seen of its machine only when its health does', async () => {
    const machine = await spawn({ applicationId });
    host.isWell = true;
    await fixture.advance(60_000);
    await fixture.run('watch-instances');
    const { revision } = await fixture.machine(tenant, machine);
    await fixture.run('watch-instances');
    expect((await fixture.machine(tenant, machine)).revision).toBe(revision);
  });

  it('is not looked for where there is none', async () => {
    const machine = await spawn({ applicationId: null });
    await fixture.advance(60_000);
    expect([await seen(machine), host.made.at(-1)?.parts]).toEqual([null, []]);
  });
});

describe('a machine whose host gives it another address while it runs', () => {
  it('is shown with that', async () => {
    const machine = await spawn({ applicationId: null });
    await fixture.advance(60_000);
    host.publicIp = '192.0.2.77';
    await fixture.run('watch-instances');
    expect((await fixture.machine(tenant, machine)).publicIp).toBe('192.0.2.77');
  });
});

describe('the hundredth machine of a user', () => {
  it('is the last, also of twenty that are asked for at once', async () => {
    tenant = await fixture.tenant('2000');
    for (let made = 0; made < 90; made++) await spawn({ applicationId: null });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => spawn({ applicationId: null })));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBe(10);
    // Of those that were refused nothing is.
    expect((await fixture.credits(tenant)).held).toBe('1000');
    await expect(spawn({ applicationId: null })).rejects.toThrow(
      'You have 100 virtual machines, the maximum: terminate one first.',
    );
  }, 60_000);
});
