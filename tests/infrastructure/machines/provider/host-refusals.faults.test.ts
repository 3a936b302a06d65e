import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HostUnreachable, ProviderFault } from '../../../../subgraphs/infrastructure/machines/provider/provider.js';
import { conflict } from '../../../../kernel/errors.js';
import { MachineFixture, type Tenant } from '../../../kit/machines/machine-fixture.js';
import { OddHost } from '../../../kit/machines/odd-host.js';

const HOUR_MS = 3_600_000;

const NOTICES = {
  name: 'state-notices-of-the-tests',
  text: `SELECT title, own_severity AS severity FROM accounts.notification
          WHERE user_id = $1 AND starts_with(key, 'vm-state:') ORDER BY id`,
};

let host: OddHost;
let fixture: MachineFixture;
let tenant: Tenant;
beforeAll(async () => {
  host = new OddHost();
  fixture = await MachineFixture.open(host);
}, 60_000);
afterAll(() => fixture.close());
beforeEach(async () => {
  host.reset();
  tenant = await fixture.tenant('100');
});

describe('a host that refuses to make a machine', () => {
  it('is asked five times, then the machine has failed for a reason its owner can read, and holds nothing', async () => {
    host.fault = new ProviderFault('There is no room for 1 more CPU.');
    const machine = await fixture.spawn(tenant, '1');
    await fixture.advance(HOUR_MS);
    const { status, errorMessage } = await fixture.machine(tenant, machine);
    expect({ status, errorMessage, commands: host.commands.length, ...(await fixture.credits(tenant)) }).toEqual({
      status: 'failed',
      errorMessage: 'The host could not create this virtual machine after 5 attempts. There is no room for 1 more CPU.',
      commands: 5,
      balance: '100',
      held: '0',
    });
  });

  it('is a critical notification for the owner of the machine', async () => {
    host.fault = new ProviderFault('There is no room for 1 more CPU.');
    await fixture.spawn(tenant, '1');
    await fixture.advance(HOUR_MS);
    expect(await fixture.ledger.rows(NOTICES, [tenant.userId])).toEqual([
      { title: expect.stringMatching(/ has failed$/), severity: 'critical' },
    ]);
  });

  it('without a reason for its owner is named as the one that refused, and nothing internal is told', async () => {
    host.fault = new Error('400: no such field in /run/secret.conf');
    const machine = await fixture.spawn(tenant, '1');
    await fixture.advance(HOUR_MS);
    expect((await fixture.machine(tenant, machine)).errorMessage).toBe(
      'The host could not create this virtual machine after 5 attempts. The host refused the request.',
    );
  });

  it('does no harm where it works again', async () => {
    host.fault = new ProviderFault('Try again.');
    const machine = await fixture.spawn(tenant, '1');
    await fixture.advance(5_000);
    host.fault = undefined;
    await fixture.advance(HOUR_MS / 60);
    expect((await fixture.machine(tenant, machine)).status).toBe('running');
    await fixture.command(tenant, machine, 'terminate');
    host.sees = 'gone';
    await fixture.advance(HOUR_MS);
  });

  it('leaves a failed machine that can be ended', async () => {
    host.fault = new ProviderFault('Never.');
    const machine = await fixture.spawn(tenant, '1');
    await fixture.advance(HOUR_MS);
    host.fault = undefined;
    host.sees = 'gone';
    await fixture.command(tenant, machine, 'terminate');
    await fixture.advance(HOUR_MS);
    expect((await fixture.machine(tenant, machine)).status).toBe('terminated');
  });
});

describe('a host that is away', () => {
  it('costs no attempt: what it was told waits', async () => {
    host.fault = new HostUnreachable('nobody listens');
    const machine = await fixture.spawn(tenant, '1');
    await fixture.advance(HOUR_MS / 4);
    expect((await fixture.machine(tenant, machine)).status).toBe('spawning');
    host.fault = undefined;
    await fixture.advance(HOUR_MS / 30);
    expect((await fixture.machine(tenant, machine)).status).toBe('running');
  });

  it('for too long makes the machine fail, and is told to end it for ever', async () => {
    host.fault = new HostUnreachable('nobody listens');
    const machine = await fixture.spawn(tenant, '1');
    await fixture.advance(HOUR_MS);
    const { status, errorMessage } = await fixture.machine(tenant, machine);
    expect([status, errorMessage]).toEqual(['failed', 'The host could not be reached to create this virtual machine.']);
    await fixture.command(tenant, machine, 'terminate');
    await fixture.advance(24 * HOUR_MS);
    host.fault = undefined;
    host.sees = 'gone';
    await fixture.advance(HOUR_MS);
    expect((await fixture.machine(tenant, machine)).status).toBe('terminated');
  });
});

describe('a network that is away', () => {
  const joining = () => fixture.spawn(tenant, '1', '0', { joinsNetwork: true });
  afterEach(() => {
    fixture.isNetworkDown = false;
  });

  it('costs a joining machine no attempt', async () => {
    const machine = await joining();
    fixture.isNetworkDown = true;
    await fixture.advance(HOUR_MS / 4);
    expect((await fixture.machine(tenant, machine)).status).toBe('spawning');
    fixture.isNetworkDown = false;
    await fixture.advance(HOUR_MS / 30);
    expect((await fixture.machine(tenant, machine)).status).toBe('running');
  });

  it('for too long makes it fail, and its owner reads why', async () => {
    const machine = await joining();
    fixture.isNetworkDown = true;
    await fixture.advance(HOUR_MS);
    const { status, errorMessage } = await fixture.machine(tenant, machine);
    expect([status, errorMessage]).toEqual([
      'failed',
      'It took too long to create this virtual machine. The network part of the platform does not answer just now.',
    ]);
  });
});

describe('a network that refuses a machine', () => {
  it('makes it fail, and its owner reads why', async () => {
    host.fault = conflict('The network has no free address.');
    const machine = await fixture.spawn(tenant, '1');
    await fixture.advance(HOUR_MS);
    expect((await fixture.machine(tenant, machine)).errorMessage).toBe(
      'The host could not create this virtual machine after 5 attempts. The network has no free address.',
    );
  });
});

describe('a host that never gets done', () => {
  it('makes the machine fail within half an hour', async () => {
    host.sees = 'busy';
    const machine = await fixture.spawn(tenant, '1');
    await fixture.advance(HOUR_MS / 2);
    const { status, errorMessage } = await fixture.machine(tenant, machine);
    expect([status, errorMessage]).toEqual(['failed', 'The host took too long to create this virtual machine.']);
  });
});
