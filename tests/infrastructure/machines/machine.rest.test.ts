import { beforeAll, describe, expect, it } from '@jest/globals';
import { asDecimal, costOf, inUnits } from '../../../subgraphs/infrastructure/credits.rules.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { command, machineIn, machineOf, runningMachine, signInToBeta, spawn } from '../../kit/machines/machine.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { tally, twentyAtOnce } from '../../kit/rest/rest-checks.js';

let user: SignedIn;
let machine: Json;
beforeAll(async () => {
  ({ user, machine } = await runningMachine());
}, 60_000);

const credits = async ({ token }: SignedIn): Promise<Json> =>
  (await graphql('{ creditBalance { balance held } }', { token })).data.creditBalance;

describe('a machine that runs', () => {
  it('has a public address, and none in the overlay, as it did not join', () => {
    expect(machine).toMatchObject({
      public_ip: expect.stringMatching(/^(?:203\.0\.113|198\.51\.100|192\.0\.2)\.\d+$/),
      nebula_ip: null,
      ip_addresses: [machine.public_ip],
      error_message: null,
    });
  });

  it('tells what it costs and when the credits end', () => {
    const { billing } = machine;
    expect(billing).toMatchObject({ state: 'charging', credits_per_hour: '0.008' });
    // 100 credits pay for 12500 hours.
    expect((Date.parse(billing.empty_at) - Date.now()) / 3_600_000).toBeCloseTo(12_500, 0);
  });

  it('refuses to start with 409', async () => {
    const { status, body } = await command(machine.id, 'start', user);
    expect({ status, body }).toEqual({ status: 409, body: { error: expect.stringContaining('stopped') } });
  });
});

describe('the life of a machine', () => {
  it('goes from stop to start to reboot to its end, with 201 and the machine each time', async () => {
    const owner = await signInToBeta();
    const { machine: born } = await runningMachine(owner);
    const seen: Json[] = [];
    const go = async (word: string, status: string) => {
      const reply = await command(born.id, word, owner);
      seen.push([reply.status, reply.body.id === born.id && reply.body.status]);
      const { status: after } = await machineIn(status, born.id, owner);
      seen.push(after);
    };
    await go('stop', 'stopped');
    expect((await command(born.id, 'stop', owner)).status).toBe(409);
    expect((await command(born.id, 'reboot', owner)).status).toBe(409);
    await go('start', 'running');
    await go('reboot', 'running');
    await go('terminate', 'terminated');
    expect(seen).toEqual([
      [201, 'stopping'],
      'stopped',
      [201, 'starting'],
      'running',
      [201, 'rebooting'],
      'running',
      [201, 'terminating'],
      'terminated',
    ]);
    expect((await command(born.id, 'terminate', owner)).body.status).toBe('terminated');
    expect((await command(born.id, 'start', owner)).status).toBe(409);
  }, 60_000);

  it('costs by the second, and gives back what was held', async () => {
    const owner = await signInToBeta();
    const { machine: born } = await runningMachine(owner);
    const ran = async (): Promise<number> => (await machineOf(born.id, owner)).billing.ran_seconds;
    while ((await ran()) === 0);
    await command(born.id, 'terminate', owner);
    await machineIn('terminated', born.id, owner);
    const settled = async (): Promise<Json> => {
      const now = await credits(owner);
      return now.held === '0' ? now : settled();
    };
    const { balance } = await settled();
    const { billing } = await machineOf(born.id, owner);
    const cost = costOf(BigInt(billing.ran_seconds), inUnits('0.008'));
    expect([billing.state, billing.ran_seconds > 0, billing.charged_so_far]).toEqual(['ended', true, asDecimal(cost)]);
    expect(balance).toBe(asDecimal(inUnits('100') - cost));
  }, 60_000);

  it('can be ended while it is being made', async () => {
    const owner = await signInToBeta();
    const { body } = await spawn(owner);
    const reply = await command(body.id, 'terminate', owner);
    expect([reply.status, reply.body.status]).toEqual([201, 'terminating']);
    expect(await machineIn('terminated', body.id, owner)).toMatchObject({ billing: { charged_so_far: '0' } });
  });

  it('is listed as terminated', async () => {
    const owner = await signInToBeta();
    const { body } = await spawn(owner);
    await command(body.id, 'terminate', owner);
    await machineIn('terminated', body.id, owner);
    const { body: rows } = await call('GET /api/infrastructure/vm/instances/', { token: owner.token });
    expect(rows.map(({ status }: Json) => status)).toEqual(['terminated']);
  });

  it('lets one of twenty stops at once through', async () => {
    const { user: owner, machine: born } = await runningMachine();
    expect(tally(await twentyAtOnce(() => command(born.id, 'stop', owner)))).toEqual({ 201: 1, 409: 19 });
  });
});

describe('a machine of somebody else', () => {
  it.each(['start', 'stop', 'reboot', 'terminate'])('is not there to %s', async (word) => {
    const stranger = await signIn();
    const replies = await Promise.all([machine.id, machine.uuid, 'x'].map((id) => command(id, word, stranger)));
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});

describe('setVmWarning', () => {
  const SET =
    'mutation ($id: ID!, $minutes: Int!) { setVmWarning(id: $id, minutes: $minutes) { billing { state warningMinutes } } }';

  it('makes a machine low when credits last for less', async () => {
    const owner = await signInToBeta('20');
    const { body: flavors } = await call('GET /api/infrastructure/vm/flavors/', { token: owner.token });
    const dearest = flavors.toSorted((a: Json, b: Json) => b.credits_per_hour - a.credits_per_hour)[0];
    const { body: born } = await spawn(owner, { body: { flavor_id: dearest.id } });
    await machineIn('running', born.id, owner);
    const warned = async (minutes: number) =>
      (await graphql(SET, { token: owner.token, variables: { id: born.id, minutes } })).data.setVmWarning.billing;
    // 20 credits last for less than two days, and for more than an hour.
    expect(await warned(44_640)).toEqual({ state: 'low', warningMinutes: 44_640 });
    expect(await warned(60)).toEqual({ state: 'charging', warningMinutes: 60 });
  });

  it('refuses a machine that is terminated', async () => {
    const owner = await signInToBeta();
    const { body: born } = await spawn(owner);
    await command(born.id, 'terminate', owner);
    await machineIn('terminated', born.id, owner);
    const reply = await graphql(SET, { token: owner.token, variables: { id: born.id, minutes: 5 } });
    expect(codeOf(reply)).toBe('CONFLICT');
  });

  it.each([-1, 44_641])('refuses %i minutes', async (minutes) => {
    const reply = await graphql(SET, { token: user.token, variables: { id: machine.id, minutes } });
    expect(codeOf(reply)).toBe('BAD_REQUEST');
  });
});
