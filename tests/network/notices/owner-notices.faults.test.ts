import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import type { Events } from '../../../kernel/events/events.js';
import { openPostgresEvents } from '../../../kernel/events/postgres-events.js';
import { notifyOwners } from '../../../subgraphs/network/notices/owner-notice/owner-notice.actions.js';
import { WINDOW_MS } from '../../../subgraphs/network/notices/owner-notice/owner-notice.rules.js';
import { enrolledMachine } from '../../kit/network/network.js';
import { addEndpoint, deliveriesTo, notificationsOf, verified } from '../../kit/accounts/notice.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { call, graphql, type Json } from '../../kit/platform.js';
import { Receiver } from '../../kit/accounts/receiver.js';
import { newWallet, signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask, until } from '../../kit/watch.js';

let platform: PlatformOnDatabase;
let database: Database;
let events: Events;
let user: SignedIn;
beforeAll(async () => {
  platform = await startOnDatabase();
  const log = pino({ level: 'silent' });
  events = await openPostgresEvents(platform.databaseUrl, 'network', log);
  database = connectDatabase({ url: platform.databaseUrl, schema: 'network', events, log });
}, 120_000);
afterAll(async () => {
  await events.close();
  await database.close();
  await platform.stop();
});
beforeEach(async () => {
  user = await signIn(newWallet(), platform.url);
  await send('POST /api/network/provision/');
});

const send = (target: string, body?: unknown) => call(target, { token: user.token, url: platform.url, body });
const change = (sql: string) => ask(platform.databaseUrl, sql);

const ADD_JOB = `INSERT INTO network_jobs.job (name, data, policy) VALUES ('work', $1, 'short') RETURNING id`;

/** Runs a job of the platform to its end. */
async function run(job: string, data: object = {}): Promise<void> {
  const [row] = await database.change(async (transaction) => {
    transaction.publishAfterCommit({ topic: 'jobs', id: 'work' });
    return transaction.execute(ADD_JOB, [JSON.stringify({ job, data })]);
  });
  const { id } = row as { id: string };
  const state = `SELECT state FROM network_jobs.job WHERE id = '${id}'`;
  await until(async () => (await change(state)) === 'completed');
}

const openWindow = () => change('UPDATE network.tenant SET notified_at = NULL');
/** The notifications of networks, oldest first, after the platform looked for events and sent them. */
async function notices({ kind }: { readonly kind?: string } = {}): Promise<Json[]> {
  await run('notify-network-owners');
  await until(async () => (await change(UNSENT)) === 0);
  const { results } = await notificationsOf(user, '', platform.url);
  return results.filter((notice: Json) => (kind ?? notice.kind) === notice.kind).toReversed();
}
const UNSENT = `SELECT count(*)::integer FROM network_jobs.job
  WHERE data ->> 'job' = 'send-network-notice' AND state IN ('created', 'active', 'retry')`;
const titles = async (kind?: string) => (await notices(kind === undefined ? {} : { kind })).map(({ title }) => title);

const seen = (id: number, age: string) =>
  change(
    `UPDATE network.peer SET last_seen = now() - interval '${age}', joined_at = now() - interval '1 h' WHERE id = ${id}`,
  );

async function joined(label: string): Promise<number> {
  const { peer } = await enrolledMachine(user, {}, platform.url);
  await send(`PATCH /api/network/peers/${peer}/`, { label });
  return peer;
}

async function newPolicy(name: string): Promise<number> {
  const { default_group: group } = (await send('GET /api/network/me/')).body;
  return (await send('POST /api/network/policies/', { source_group: group, dest_group: group, name })).body.id;
}

describe('the owner of a network', () => {
  it('is notified when a peer joins, is offline for ten minutes, is back, and is removed', async () => {
    const peer = await joined('db-1');
    expect(await titles()).toEqual(['Peer db-1 has joined your network']);
    await openWindow();
    await seen(peer, '9 minutes');
    expect(await titles()).toHaveLength(1);
    await seen(peer, '11 minutes');
    const [, offline] = await notices();
    expect(offline).toMatchObject({
      kind: 'peer',
      title: 'Peer db-1 is offline',
      text: 'No report for 10 minutes: db-1.',
      link: '/network',
    });
    await openWindow();
    await seen(peer, '5 minutes');
    expect(await titles()).toHaveLength(2);
    await seen(peer, '0 s');
    expect((await titles())[2]).toBe('Peer db-1 is online again');
    await openWindow();
    await send(`DELETE /api/network/peers/${peer}/`);
    expect((await titles())[3]).toBe('Peer db-1 was removed from your network');
    await openWindow();
    expect(await titles()).toHaveLength(4);
  });

  it('is notified once when the certificate of a silent peer ends within a day', async () => {
    const peer = await joined('edge');
    await change(`UPDATE network.peer SET certificate_not_after = now() + interval '25 h' WHERE id = ${peer}`);
    expect(await titles()).toEqual(['Peer edge has joined your network']);
    await change(`UPDATE network.peer SET certificate_not_after = now() + interval '23 h' WHERE id = ${peer}`);
    await openWindow();
    const sent = (await notices()).map(({ title, severity }) => `${severity}: ${title}`);
    expect(sent).toEqual([
      'info: Peer edge has joined your network',
      'warning: Peer edge has a certificate that ends soon',
    ]);
    await openWindow();
    expect(await titles()).toHaveLength(2);
  });

  it('is notified who created, changed, disabled, enabled and deleted a policy', async () => {
    const id = await newPolicy('web');
    const [created] = await notices();
    expect(created).toMatchObject({
      kind: 'policy',
      title: 'Policy web was created',
      text: 'Created by your account: web.',
      link: '/network',
    });
    const steps: [object | undefined, string][] = [
      [{ protocol: 'tcp', ports: ['80'] }, 'changed'],
      [{ enabled: false }, 'disabled'],
      [{ enabled: true }, 'enabled'],
      [undefined, 'deleted'],
    ];
    for (const [body, word] of steps) {
      await openWindow();
      await send(`${body ? 'PATCH' : 'DELETE'} /api/network/policies/${id}/`, body);
      expect((await titles()).at(-1)).toBe(`Policy web was ${word}`);
    }
  });

  it('gets what happens within five minutes in one notification of each kind', async () => {
    await newPolicy('first');
    expect(await titles()).toEqual(['Policy first was created']);
    for (let n = 0; n < 12; n += 1) await newPolicy(`p${n}`);
    await joined('late');
    expect(await titles()).toHaveLength(1);
    await change(`UPDATE network.tenant SET notified_at = notified_at - interval '5 minutes'`);
    const [, ...later] = await notices();
    expect(new Set(later.map(({ title }) => title))).toEqual(
      new Set(['Peer late has joined your network', 'Policies: 12 created']),
    );
    const text = 'Created by your account: p0, p1, p2, p3, p4, p5, p6, p7, p8, p9 and 2 more.';
    expect(later.find(({ kind }) => kind === 'policy')?.text).toBe(text);
  });

  it('is not notified of groups and of the managed policy, and nobody else is notified', async () => {
    await send('POST /api/network/groups/', { label: 'staff' });
    expect(await titles()).toEqual([]);
    await newPolicy('mine');
    user = await signIn(newWallet(), platform.url);
    expect(await titles()).toEqual([]);
  });

  it('receives them live and by webhook, unless the preference is off', async () => {
    const receiver = await Receiver.open();
    try {
      const { id, secret } = await addEndpoint(user, { url: receiver.url, kinds: ['policy'] }, platform.url);
      await newPolicy('hooked');
      await notices();
      expect(verified(secret, await receiver.request(1))).toMatchObject({ type: 'policy' });
      const { data } = await graphql(
        'mutation { updateNotificationPreferences(policyUpdates: false) { policyUpdates peerUpdates } }',
        {
          token: user.token,
          url: platform.url,
        },
      );
      expect(data.updateNotificationPreferences).toEqual({ policyUpdates: false, peerUpdates: true });
      await openWindow();
      await newPolicy('quiet');
      expect(await titles('policy')).toHaveLength(2);
      await until(
        async () =>
          (await change('SELECT count(*)::integer FROM accounts.notification WHERE planned_at IS NULL')) === 0,
      );
      expect((await deliveriesTo(user, id, { url: platform.url })).results).toHaveLength(1);
    } finally {
      receiver.close();
    }
  });
});

describe('a notification of a network', () => {
  it('is neither lost nor sent twice when the process ends before or after it is enqueued', async () => {
    await change('UPDATE network.tenant SET notified_at = now()');
    await newPolicy('kept');
    const later = new Date(Date.now() + WINDOW_MS);
    const enqueue = () => Promise.reject(new Error('the process ends here'));
    const jobs = { enqueue, close: () => Promise.resolve() };
    await expect(notifyOwners({ database, jobs, now: () => later })).rejects.toThrow('ends here');
    await openWindow();
    expect(await titles()).toEqual(['Policy kept was created']);
    const again = await change(
      `SELECT data -> 'data' FROM network_jobs.job WHERE data ->> 'job' = 'send-network-notice' ORDER BY created_on DESC LIMIT 1`,
    );
    await run('send-network-notice', again as object);
    expect(await titles()).toHaveLength(1);
  });
});
