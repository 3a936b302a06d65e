import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SUBGRAPHS } from '../../../gateway/composition/supergraph.js';
import { until } from '../../kit/watch.js';
import type { Answered } from '../../kit/rest/openapi.js';
import type { Json } from '../../kit/platform.js';
import { ACCOUNTS } from './mutations/accounts.js';
import { INFRASTRUCTURE } from './mutations/infrastructure.js';
import { NETWORK } from './mutations/network.js';
import { PAYMENTS } from './mutations/payments.js';
import { SYNC } from './mutations/sync.js';
import { callAllRoutes, WRITING_ROUTES } from './mutations/rest-rows.js';
import { MUTATIONS, World, type AuditCase, type Entry, type Sender, type Sent } from './mutations/world.js';

const CASES: Readonly<Record<string, AuditCase>> = { ...ACCOUNTS, ...PAYMENTS, ...INFRASTRUCTURE, ...NETWORK, ...SYNC };
const nameOf = (title: string): string => title.split(' ')[0] ?? '';

const UNAUDITED: ReadonlySet<string> = new Set(SUBGRAPHS.flatMap(({ unaudited }) => unaudited));

/** Calls of the platform, which are tried by the mutations that make them. */
const CALLED = ['certifyHolder', 'endHolder', 'enrollVm', 'dropVmPeer'];

/** Routes whose success changes a row only if it is sent in another second than the one before: when a certificate expires. */
const MAY_CHANGE_NOTHING: ReadonlySet<string> = new Set(['POST /api/infrastructure/certificates/renew/']);

let world: World;
let close: () => Promise<void>;
let administrator: number;
beforeAll(async () => {
  ({ world, close } = await World.open());
  administrator = (await world.database.query("SELECT id FROM accounts.user WHERE username = 'admin'")).rows[0].id;
}, 120_000);
afterAll(() => close());

it('every mutation of the schema is tried here, called by one of them, or left out of the log', () => {
  const known = [...Object.keys(CASES).map(nameOf), ...CALLED, ...UNAUDITED];
  expect([...new Set(known)].toSorted()).toEqual([...MUTATIONS.keys()].toSorted());
});

const send = (title: string, { send: other }: AuditCase, args: Json, sender: Sender): Promise<Sent> =>
  other ? other(world, args, sender) : world.send(sender, nameOf(title), args);
const argsOf = ({ args }: AuditCase): Promise<Json> =>
  Promise.resolve(typeof args === 'function' ? args(world) : (args ?? {}));
const namesIn = (ids: readonly { readonly name: string }[]): string =>
  [...new Set(ids.map(({ name }) => name))].toSorted().join(' ');

/** An entry as the cases say it. */
function described({ subgraph, ...entry }: Entry): object {
  return {
    mutation: `${subgraph}.${entry.mutation}`,
    log: entry.user_id,
    caller: entry.caller,
    actor: entry.actor && `${entry.actor} ${entry.actor_id}`,
    hasToken: entry.token_id !== null,
    address: entry.client_address,
    ids: [namesIn(entry.argument_ids), namesIn(entry.result_ids), namesIn(entry.previous_ids)],
  };
}

const CALLERS = {
  user: 'API_TOKEN',
  stranger: 'API_TOKEN',
  newcomer: 'API_TOKEN',
  administrator: 'API_TOKEN',
  service: 'SERVICE_TOKEN',
  nobody: 'ANONYMOUS',
} as const;

/** The entries that a success leaves, in the order of subgraph and log. */
function expected(
  title: string,
  { by = 'user', ids: [args, results, previous = ''], log, isShown, calls = [] }: AuditCase,
): object[] {
  const ownLog = {
    user: world.user.userId,
    stranger: world.stranger.userId,
    newcomer: world.newcomer.userId,
    administrator,
    service: 0,
    nobody: log === 'user' ? world.user.userId : log === 'new user' ? expect.any(Number) : 0,
  }[by];
  const address = expect.stringMatching(/^(127\.0\.0\.1|::1)$/);
  const mutation = expect.stringMatching(new RegExp(`\\.${nameOf(title)}$`));
  const ids = [args, results, previous];
  const own = { mutation, log: ownLog, caller: CALLERS[by], actor: null, hasToken: by !== 'nobody', address, ids };
  const actor = by === 'service' ? 'SERVICE null' : `ADMINISTRATOR ${administrator}`;
  const called = calls.map((name) => ({
    mutation: name,
    log: world.user.userId,
    caller: 'PLATFORM',
    actor: 'PLATFORM null',
    hasToken: false,
    address: null,
    ids: expect.anything(),
  }));
  return [own, ...(isShown ? [{ ...own, log: world.user.userId, actor }] : []), ...called];
}

describe.each(Object.entries(CASES))('%s', (title, audited) => {
  const { by = 'user', refused = 'stranger', isSilent = false, writesNothing } = audited;
  let args: Json;
  beforeAll(async () => {
    args = await argsOf(audited);
  }, 60_000);

  it('that is refused has no entry', async () => {
    const isSender = typeof refused === 'string';
    const sent = await send(title, audited, isSender ? args : { ...args, ...refused }, isSender ? refused : by);
    expect(sent).toMatchObject({ isRefused: !isSilent });
    expect(await world.entriesOf(sent.requestId)).toEqual([]);
  });

  it(`that succeeds has ${writesNothing ? `no entry, because ${writesNothing}` : 'one entry in each log that it concerns'}`, async () => {
    const sent = await send(title, audited, args, by);
    expect(sent).toMatchObject({ isRefused: false });
    const entries = await world.entriesOf(sent.requestId);
    const key = (entry: Json) => `${entry.actor === null ? 0 : 1}${entry.mutation}`;
    const found = entries.map(described).toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
    expect(found).toEqual(writesNothing ? [] : expected(title, audited));
  }, 30_000);
});

it('the calls of the platform are in the log of the user', async () => {
  const calls = 'SELECT DISTINCT mutation FROM network.audit_entry WHERE user_id = $1 AND actor = $2 ORDER BY mutation';
  await until(async () => {
    const { rows } = await world.database.query<Entry>(calls, [world.user.userId, 'PLATFORM']);
    return rows.map(({ mutation }) => mutation).join() === CALLED.toSorted().join();
  });
}, 30_000);

describe('the REST routes', () => {
  let answers: readonly Answered[];
  beforeAll(async () => {
    answers = await callAllRoutes(world.url);
  }, 120_000);

  it.each([...WRITING_ROUTES])(
    '%s leaves one entry when it succeeds, and none when it is refused',
    async (route, mutations) => {
      const own = answers.filter(({ operation }) => operation === route);
      const logs = await Promise.all(
        own.map(async ({ requestId, status }) => ({
          isRefused: status >= 400,
          entries: await world.entriesOf(requestId),
        })),
      );
      expect(logs.filter(({ isRefused }) => isRefused).flatMap(({ entries }) => entries)).toEqual([]);
      const made = logs.filter(({ isRefused }) => !isRefused).map(({ entries }) => entries.filter(isOfCaller));
      const audited = mutations.filter((mutation) => !UNAUDITED.has(mutation) && !CASES[mutation]?.writesNothing);
      expect(made.filter(({ length }) => length > 1)).toEqual([]);
      const found = new Set(made.flat().map(({ mutation }) => mutation));
      expect(found).toEqual(MAY_CHANGE_NOTHING.has(route) && found.size === 0 ? new Set() : new Set(audited));
    },
  );
});

const isOfCaller = ({ actor }: Entry): boolean => actor === null;
