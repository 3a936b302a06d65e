import { blake3 } from '@noble/hashes/blake3.js';
import { send } from '../kit/files/bytes.js';
import type { Json } from '../kit/platform.js';
import { until } from '../overlay/processes.js';
import { expectStatus } from './client.js';
import { EVENT_LIMIT_MS } from './events/events.js';
import { balanceOf, type Load } from './load.js';
import { OWNER_CREDITS } from './machines.js';
import type { Cluster } from './topology.js';
import type { GroupWatcher } from './events/watchers.js';

const SETTLE_LIMIT_MS = 150_000;

/** What was answered and is not there, what is there twice, and events that did not come: one line for each. */
export interface Losses {
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  /** Changes of which a watcher was not told, or too late. */
  readonly missed: readonly string[];
}

type Part = Omit<Losses, 'missed'>;

/** Compares what clients were told with what is there. */
export async function findLosses(cluster: Cluster, load: Load): Promise<Losses> {
  const missed = await missedEvents(load);
  const parts = [
    await groupLosses(load),
    await grantLosses(load),
    { lost: [...(await damagedFiles(load)), ...(await endedSignIns(load))], twice: [] },
    await machineLosses(cluster, load),
    await chargeLosses(cluster, load),
  ];
  const twice = [...parts.flatMap((part) => part.twice), ...load.noticeWatcher.twice];
  return { lost: parts.flatMap(({ lost }) => lost), twice, missed };
}

async function groupsOf({ client, user: { token } }: Load): Promise<string[]> {
  const { body } = await client.repeat(undefined, 'GET /api/network/groups/', undefined, { token });
  return body.map(({ label }: Json) => label);
}

/** Each change is known to each watcher in time, and at the end they know the groups that are there. */
async function missedEvents(load: Load): Promise<string[]> {
  const { history, groupWatchers, noticeWatcher } = load;
  const there = (await groupsOf(load)).toSorted().join();
  const differs = async (watcher: GroupWatcher) => {
    const isEqual = async () => [...watcher.labels].toSorted().join() === there || undefined;
    const seen = await until('the groups of a watcher', EVENT_LIMIT_MS, isEqual).catch(() => undefined);
    return seen ? [] : [`the watcher at ${watcher.place} has other groups than there are`];
  };
  const differences = await Promise.all(groupWatchers.map(differs));
  const missed = [...groupWatchers, noticeWatcher].flatMap((watcher) => history.missedBy(watcher));
  return [...differences.flat(), ...missed];
}

async function groupLosses(load: Load): Promise<Part> {
  const { groups, deletedGroups } = load;
  const found = await groupsOf(load);
  const lost = [...groups].filter((label) => !found.includes(label)).map((label) => `the group ${label} is lost`);
  const back = found.filter((label) => deletedGroups.has(label)).map((label) => `the group ${label} is back`);
  const twice = found.filter((label, index) => found.indexOf(label) !== index);
  return { lost: [...lost, ...back], twice: twice.map((label) => `the group ${label} is there twice`) };
}

async function grantLosses({ client, user, grants, wrongBalances }: Load): Promise<Part> {
  const balance = await balanceOf(client, user);
  const text = `${grants.size} grants of one credit gave ${balance} credits`;
  const lost = [...wrongBalances, ...(balance < grants.size ? [text] : [])];
  return { lost, twice: balance > grants.size ? [text] : [] };
}

/** Tokens that were given out in a sign-in and do not name their user any more. */
async function endedSignIns({ client, signedIn }: Load): Promise<string[]> {
  const faults: string[] = [];
  for (const [token, id] of signedIn) {
    const expected = { statuses: [200, 401], token };
    const { status, body } = await client.repeat(undefined, 'POST /graphql', { query: '{ me { id } }' }, expected);
    if (body?.data?.me?.id !== id) faults.push(`the sign-in of the user ${id} is lost: ${status}`);
  }
  return faults;
}

async function damagedFiles({ files, client, user: { token } }: Load): Promise<string[]> {
  const faults: string[] = [];
  for (const { path, hash } of files) {
    const { status, bytes } = await client.attempt(undefined, async () => {
      const reply = await send(`GET ${path}`, Buffer.alloc(0), { token, url: client.url });
      return expectStatus(reply, [200, 404], path);
    });
    const found = Buffer.from(blake3(bytes)).toString('hex');
    if (found !== hash) faults.push(`${path}: ${status}`);
  }
  return faults;
}

interface FoundMachine {
  readonly id: number;
  readonly boots: number;
}

/** Each machine is the one that was answered, was made once, and rebooted once. */
async function machineLosses({ postgres }: Cluster, { client, machines: { made, user } }: Load): Promise<Part> {
  const found = await postgres.sql<FoundMachine>(
    `SELECT i.id, s.boots FROM infrastructure.vm_instance i JOIN infrastructure.simulated_machine s USING (uuid) WHERE i.user_id = ${user.userId}`,
  );
  const boots = new Map(found.map((machine) => [machine.id, machine.boots]));
  const lost: string[] = [];
  const twice = found.length > made.length ? [`${made.length} spawns made ${found.length} machines`] : [];
  for (const { answered, isRebootClear } of made) {
    const { id } = answered;
    const expected = { statuses: [200, 404], token: user.token };
    const { body } = await client.repeat(undefined, `GET /api/infrastructure/vm/instances/${id}/`, undefined, expected);
    if (!isSame(answered, body)) lost.push(`the machine ${id} was answered and is not there, or is another`);
    const times = boots.get(id) ?? 0;
    if (times < 2) lost.push(`the reboot of the machine ${id} is lost: it was started ${times} times`);
    if (times > 2 && isRebootClear) twice.push(`the machine ${id} was started ${times} times, not twice`);
  }
  return { lost, twice };
}

/** Whether a machine is the one that was answered to its spawn, now terminated. */
function isSame(answered: Json, found: Json): boolean {
  const lasting = ['id', 'uuid', 'name', 'ssh_public_key', 'created_at'];
  return found?.status === 'terminated' && lasting.every((field) => answered[field] === found[field]);
}

interface Charges {
  readonly charged: string;
  readonly open: number;
}

/** Once all machines are terminated and settled, the credits that are gone are those that were charged for seconds. */
async function chargeLosses(cluster: Cluster, { machines: { user } }: Load): Promise<Part> {
  const read = `SELECT coalesce(sum(b.charged), 0)::text AS charged, count(*) FILTER (WHERE b.hold_state <> 'closed' OR b.charge_credits IS NOT NULL)::integer AS open
    FROM infrastructure.vm_billing b WHERE b.user_id = ${user.userId}`;
  const { charged } = await until('all machines to be settled', SETTLE_LIMIT_MS, async () => {
    const [charges] = await cluster.postgres.sql<Charges>(read);
    return charges?.open === 0 ? charges : undefined;
  });
  const [spent] = await cluster.postgres.sql<{ readonly ledger: string; readonly isEqual: boolean }>(
    `SELECT (${OWNER_CREDITS} - a.balance)::text AS ledger, ${OWNER_CREDITS} - a.balance = ${charged} AS "isEqual"
       FROM accounts.ledger_account a WHERE a.user_id = ${user.userId}`,
  );
  if (spent?.isEqual) return { lost: [], twice: [] };
  const text = `machines cost ${charged} credits, and ${spent?.ledger} were taken`;
  return Number(spent?.ledger) > Number(charged) ? { lost: [], twice: [text] } : { lost: [text], twice: [] };
}
