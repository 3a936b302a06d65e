import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { asAdmin, call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { machineOf, signInToBeta, spawn, SPAWN, SSH_KEY } from '../../kit/machines/machine.js';
import { grant, serviceToken, signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ISO_TIME, tally, twentyAtOnce } from '../../kit/rest/rest-checks.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let user: SignedIn;
beforeAll(async () => {
  user = await signInToBeta('1000');
});

const listed = async ({ token }: SignedIn): Promise<Json[]> =>
  (await call('GET /api/infrastructure/vm/instances/', { token })).body;
const held = async ({ token }: SignedIn): Promise<Json> =>
  (await graphql('{ creditBalance { balance held } }', { token })).data.creditBalance;

describe('spawning a machine', () => {
  it('is accepted with the fields that clients read and the detail', async () => {
    const { status, body } = await spawn(user, { body: { name: 'first' } });
    expect({ status, body }).toEqual({
      status: 202,
      body: {
        id: expect.any(Number),
        uuid: expect.stringMatching(UUID),
        name: 'first',
        flavor_id: 1,
        image_id: 3,
        status: expect.stringMatching(/^(?:pending|spawning)$/),
        created: expect.stringMatching(ISO_TIME),
        created_at: body.created,
        updated_at: expect.stringMatching(ISO_TIME),
        flavor: { name: 'spark', cpu_cores: 1, memory_mb: 1024, disk_gb: 20 },
        image: 'Debian 13',
        application: null,
        application_health: null,
        public_ip: null,
        ssh_port: 22,
        nebula_ip: null,
        ip_addresses: [],
        ssh_public_key: SSH_KEY,
        error_message: null,
        billing: {
          state: 'waiting',
          credits_per_hour: '0.008',
          stopped_credits_per_hour: '0',
          charged_so_far: '0',
          ran_seconds: 0,
          stopped_seconds: 0,
          warning_minutes: 60,
          empty_at: null,
        },
      },
    });
  });

  it('takes a name as people write it', async () => {
    expect((await spawn(user, { body: { name: 'My Server (über)' } })).body.name).toBe('My Server (über)');
  });

  it('names it by flavor and id when the name is empty', async () => {
    const { body } = await spawn(user, { body: { name: ' ' } });
    expect(body.name).toBe(`spark-${body.id}`);
  });

  it('names it by flavor and id when no name is given', async () => {
    const { body } = await spawn(user);
    expect(body.name).toBe(`spark-${body.id}`);
  });

  it('takes an application', async () => {
    const { status, body } = await spawn(user, { body: { application_id: 1 } });
    expect([status, body.application]).toEqual([202, 'Docker']);
  });

  it('takes numbers that come as strings and ignores unknown fields', async () => {
    const { status } = await spawn(user, {
      body: { flavor_id: '1', image_id: '1', application_id: null, region: 'x' },
    });
    expect(status).toBe(202);
  });

  it('holds 10 credits and takes none yet', async () => {
    const owner = await signInToBeta('25');
    await spawn(owner);
    expect(await held(owner)).toEqual({ balance: '25', held: '10' });
  });

  it('is a GraphQL mutation too', async () => {
    const query =
      'mutation ($key: String!) { spawnVm(flavorId: 1, imageId: 1, sshPublicKey: $key) { id status billing { state } } }';
    const { data } = await graphql(query, { token: user.token, variables: { key: SSH_KEY } });
    expect(data.spawnVm).toMatchObject({ status: 'pending', billing: { state: 'waiting' } });
  });
});

describe('a spawn is refused', () => {
  it('with 401 to nobody', async () => {
    expect((await call('POST /api/infrastructure/vm/spawn/', { body: {} })).status).toBe(401);
  });

  it('with 403 that says beta to who has no access to the beta, before the body is looked at', async () => {
    const { token } = await signIn();
    const replies = await Promise.all(
      [{}, SPAWN].map((body) => call('POST /api/infrastructure/vm/spawn/', { token, body })),
    );
    expect(replies.map(({ status }) => status)).toEqual([403, 403]);
    expect(replies[1]?.body).toEqual({ error: expect.stringContaining('beta') });
  });

  it('with FORBIDDEN in GraphQL as well', async () => {
    const { token } = await signIn();
    const query = 'mutation { spawnVm(flavorId: 1, imageId: 1, sshPublicKey: "x") { id } }';
    expect(codeOf(await graphql(query, { token }))).toBe('FORBIDDEN');
  });

  it('with 403 to a service that has all roles', async () => {
    expect((await spawn({ token: await serviceToken('SUPERUSER') })).status).toBe(403);
  });

  it.each([
    ['no flavor', { flavor_id: null }],
    ['a flavor that is none', { flavor_id: 2147483647 }],
    ['a flavor that is no number', { flavor_id: 'spark' }],
    ['no image', { image_id: undefined }],
    ['an image that is none', { image_id: 0 }],
    ['an application that is none', { application_id: 2147483647 }],
    ['no key', { ssh_public_key: null }],
    ['an empty key', { ssh_public_key: '' }],
    ['a private key', { ssh_public_key: '-----BEGIN OPENSSH PRIVATE KEY-----' }],
    ['two keys', { ssh_public_key: `${SSH_KEY}\n${SSH_KEY}` }],
    ['a name with a control character', { name: 'a\nb' }],
    ['a name of 64 characters', { name: 'a'.repeat(64) }],
  ])('with 400 for %s', async (_what, body) => {
    const reply = await spawn(user, { body });
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 400, body: { error: expect.any(String) } });
  });

  it('with 400 for a flavor that is retired', async () => {
    const save = `mutation ($name: String!) { adminSaveVmFlavor(name: $name, displayName: "x", cpuCores: 1, memoryMb: 512, dataDiskGb: 1, creditsPerHour: "1") { id } }`;
    const { adminSaveVmFlavor } = await asAdmin(save, { name: `t-${randomUUID()}` });
    await asAdmin('mutation ($id: Int!) { adminRetireVmFlavor(id: $id) { id } }', { id: adminSaveVmFlavor.id });
    expect((await spawn(user, { body: { flavor_id: adminSaveVmFlavor.id } })).status).toBe(400);
  });

  it.each(['0', '9.999999999999999999'])('with 402 for %s credits', async (credits) => {
    const poor = await signInToBeta(credits);
    const { status, body } = await spawn(poor);
    expect({ status, body, machines: await listed(poor) }).toEqual({
      status: 402,
      body: { error: expect.stringContaining('10 credits') },
      machines: [],
    });
  });

  it('with 400 before 402', async () => {
    const poor = await signInToBeta('0');
    expect((await spawn(poor, { body: { image_id: 0 } })).status).toBe(400);
  });

  it('with 402 for all but one of twenty at once that want credits for one', async () => {
    const owner = await signInToBeta('19');
    const replies = await twentyAtOnce(() => spawn(owner));
    expect(tally(replies)).toEqual({ 202: 1, 402: 19 });
    expect([(await listed(owner)).length, await held(owner)]).toEqual([1, { balance: '19', held: '10' }]);
  });
});

describe('an idempotency key', () => {
  it('gives the same machine for the same request', async () => {
    const owner = await signInToBeta('15');
    const [first, second] = [await spawn(owner, { key: 'k 1' }), await spawn(owner, { key: 'k 1' })];
    expect([first.status, second.status, second.body.id]).toEqual([202, 202, first.body.id]);
    expect(await held(owner)).toEqual({ balance: '15', held: '10' });
  });

  it('gives one machine to twenty at once', async () => {
    const owner = await signInToBeta('100');
    const replies = await twentyAtOnce(() => spawn(owner, { key: 'k' }));
    expect([tally(replies), new Set(replies.map(({ body }) => body.id)).size]).toEqual([{ 202: 20 }, 1]);
    expect([(await listed(owner)).length, (await held(owner)).held]).toEqual([1, '10']);
  });

  it('is refused with 409 for another request', async () => {
    const owner = await signInToBeta('100');
    await spawn(owner, { key: 'k' });
    expect((await spawn(owner, { key: 'k', body: { image_id: 1 } })).status).toBe(409);
  });

  it('of another user is another key', async () => {
    const [one, two] = [await signInToBeta(), await signInToBeta()];
    const [first, second] = [await spawn(one, { key: 'k' }), await spawn(two, { key: 'k' })];
    expect([second.status, second.body.id === first.body.id]).toEqual([202, false]);
  });

  it('can be used again after a 402', async () => {
    const owner = await signInToBeta('5');
    expect((await spawn(owner, { key: 'k' })).status).toBe(402);
    await grant(owner, '5');
    expect((await spawn(owner, { key: 'k' })).status).toBe(202);
  });

  it.each(['', 'a'.repeat(256), 'ü'])('%j is refused with 400', async (key) => {
    expect((await spawn(user, { key })).status).toBe(400);
  });
});

describe('a machine is seen', () => {
  it('by its owner, newest first', async () => {
    const owner = await signInToBeta();
    const ids = [(await spawn(owner)).body.id, (await spawn(owner)).body.id];
    const rows = await listed(owner);
    expect(rows.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(rows[0]).toEqual({
      id: ids[1],
      uuid: expect.stringMatching(UUID),
      name: `spark-${ids[1]}`,
      status: expect.any(String),
      flavor: 'spark',
      image: 'Debian 13',
      public_ip: null,
      nebula_ip: null,
      created_at: expect.stringMatching(ISO_TIME),
    });
  });

  it('by its id and by its uuid', async () => {
    const { body } = await spawn(user);
    const found = [await machineOf(body.id, user), await machineOf(body.uuid, user)];
    expect(found.map(({ id }) => id)).toEqual([body.id, body.id]);
  });

  it('by nobody else', async () => {
    const { body } = await spawn(user);
    const { token } = await signIn();
    const replies = await Promise.all(
      [body.id, body.uuid, 2147483647, 2147483648, 'x', '%00', '-1', '0x1'].map((id) =>
        call(`GET /api/infrastructure/vm/instances/${id}/`, { token }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404));
  });
});
