import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fillNetwork, type Scale } from '../../../bench/network/dataset.js';
import { configurationOf, enrolledMachine } from '../../kit/network/network.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask } from '../../kit/watch.js';

/** Takes seconds to compile. */
const LARGE: Scale = { peers: 1_950, groups: 60, policies: 2_000, resources: 100, routers: 20 };
/** Takes some milliseconds, and is none that is compiled where it is asked for. */
const MIDDLE: Scale = { peers: 60, groups: 10, policies: 100, resources: 4, routers: 2 };

interface Owner extends SignedIn {
  readonly tenantId: number;
  /** A machine that has joined. */
  readonly machine: Json;
}

let platform: PlatformOnDatabase;
let owner: Owner;
let other: Owner;

async function start(limits: Readonly<Record<string, string>>): Promise<void> {
  platform = await startOnDatabase(limits);
  [owner, other] = [await ownerOf(LARGE), await ownerOf(MIDDLE)];
}

async function ownerOf(scale: Scale): Promise<Owner> {
  const { url, databaseUrl } = platform;
  const user = await signIn(undefined, url);
  const { body } = await call('POST /api/network/provision/', { token: user.token, url });
  const machine = await enrolledMachine(user, {}, url);
  await fillNetwork(databaseUrl, body.id, scale);
  return { ...user, tenantId: body.id, machine };
}

const configuration = ({ machine }: Owner) => configurationOf(machine.token, { url: platform.url });
const alive = async () => (await call('GET /health/live', { url: platform.url })).status;
const change = ({ token }: Owner, label: string) =>
  call('POST /api/network/groups/', { token, url: platform.url, body: { label } });

describe('a graph that takes longer to compile than it may', () => {
  beforeAll(() => start({ COMPILE_LIMIT_MS: '700' }), 120_000);
  afterAll(() => platform.stop());

  it('is refused with a sentence, and others are answered before', async () => {
    const order: unknown[] = [];
    const refused = configuration(owner).finally(() => order.push('refused'));
    for (let i = 0; i < 5; i++) order.push(await alive());
    const { status, body } = await refused;
    expect(order).toEqual([200, 200, 200, 200, 200, 'refused']);
    expect({ status, body }).toEqual({
      status: 503,
      body: { error: expect.stringMatching(/takes more than 0\.7 seconds to compile\. Make it smaller/) },
    });
  });

  it('is shown as not in force', async () => {
    const { body } = await call('GET /api/network/peers/', { token: owner.token, url: platform.url });
    expect(new Set(body.map(({ status }: Json) => status))).toEqual(new Set(['applying']));
  });

  it('is followed by one that may be compiled', async () => {
    expect((await configuration(other)).status).toBe(200);
  });

  it('is planned for or refused with a sentence, and others go on', async () => {
    const { data } = await graphql('{ policies { id } }', { token: owner.token, url: platform.url });
    const plan = (id: number) =>
      graphql(`{ planPolicy(id: ${id}, delete: true) { opensTotal } }`, { token: owner.token, url: platform.url });
    const plans = await Promise.all(data.policies.slice(1, 4).map(({ id }: Json) => plan(id)));
    const codes = plans.map((answer) => codeOf(answer) ?? 'planned');
    expect(codes.every((code) => ['planned', 'BAD_REQUEST', 'UNAVAILABLE'].includes(code))).toBe(true);
    expect((await configuration(other)).status).toBe(200);
  });

  it('is compiled when it is smaller', async () => {
    await ask(
      platform.databaseUrl,
      `DELETE FROM network.policy WHERE tenant_id = ${owner.tenantId} AND NOT is_managed`,
    );
    await ask(
      platform.databaseUrl,
      `DELETE FROM network.member WHERE tenant_id = ${owner.tenantId} AND group_id % 20 > 0`,
    );
    await change(owner, 'smaller');
    expect((await configuration(owner)).status).toBe(200);
  });
});

describe('a graph that takes more memory to compile than it may', () => {
  beforeAll(() => start({ COMPILE_LIMIT_MIB: '16' }), 120_000);

  it('is refused with a sentence, and others go on', async () => {
    let { status, body } = await configuration(owner);
    while (/not ready yet/.test(body.error)) ({ status, body } = await configuration(owner));
    expect({ status, body }).toEqual({
      status: 503,
      body: { error: expect.stringMatching(/takes more than 16 MiB of memory to compile/) },
    });
    expect([await alive(), (await configuration(other)).status]).toEqual([200, 200]);
  });

  it('keeps nobody from stopping', async () => {
    await ask(platform.databaseUrl, `DELETE FROM network.policy WHERE tenant_id = ${owner.tenantId} AND id % 5 = 0`);
    await change(owner, 'another');
    const cut = configuration(owner);
    await alive();
    const stopped = platform.processes[0]?.stop();
    const { status, headers } = await cut;
    expect({ status, connection: headers.get('connection') }).toEqual({ status: 503, connection: 'close' });
    expect(await stopped).toBe(0);
  });
});
