import { setTimeout as delay } from 'node:timers/promises';
import { machineIn, spawn } from '../../tests/kit/machines/machine.js';
import { configurationOf, enrolledMachine, hashOf } from '../../tests/kit/network/network.js';
import { addEndpoint, tell } from '../../tests/kit/accounts/notice.js';
import { call, type Json } from '../../tests/kit/platform.js';
import { Receiver } from '../../tests/kit/accounts/receiver.js';
import { storeFile } from '../../tests/kit/files/stored-file.js';
import { TestUpload } from '../../tests/kit/files/upload.js';
import { grant, setRoles, signIn, type SignedIn } from '../../tests/kit/accounts/wallet.js';
import type { Cleanup } from '../cleanup.js';
import { newOwners, startEnvironment, type Owner } from '../environment.js';
import type { Row } from '../report.js';
import { runConcurrently } from '../run-concurrently.js';
import type { Scale } from '../scale.js';
import { Meter } from './meter.js';

/** Units of each kind that one owner has. */
const EACH = 20;
const WRITERS = 4;
const CHUNKS_OF_FILE = 40;
const CHUNK_BYTES = 1024;

/** What the measurements share: the platform, users, and how many units of a kind are made. */
interface Units {
  readonly url: string;
  readonly meter: Meter;
  readonly owners: readonly Owner[];
  readonly count: number;
  readonly machinesMs: number;
}

/** Measures the least costs of what users have, for docs/capacity.md: database and CPU. */
export async function measureUnits(cleanup: Cleanup, scale: Scale): Promise<Row[]> {
  const environment = await startEnvironment(cleanup, scale);
  const { url } = environment.platform;
  const meter = await Meter.open(environment, cleanup);
  const warm = (await newOwners(url, 2))[0];
  if (!warm) throw new Error('no users');
  const count = scale.units;
  const users = await meter.rows('user who signs in', count, () => repeat(count, () => signIn(undefined, url)));
  const owners: Owner[] = [];
  const networks = await meter.rows('user who signs in, with a private network', count, async () => {
    owners.push(...(await newOwners(url, count)));
  });
  const units: Units = {
    url,
    meter,
    owners: owners.slice(0, Math.ceil(count / EACH)),
    count,
    machinesMs: 2 * scale.idleMs,
  };
  return [
    ...users,
    ...networks,
    ...(await measurePeers(units)),
    ...(await measurePolicies(units)),
    ...(await measureFiles(units)),
    ...(await measureWebhooks(units)),
    ...(await measureMachines(units)),
  ];
}

/** Does the work for each owner in turn, several at once. */
async function repeat(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  await runConcurrently(WRITERS, Array(count).keys(), work);
}

function ownerOf({ owners }: Units, n: number): Owner {
  const owner = owners[n % owners.length];
  if (!owner) throw new Error('no users');
  return owner;
}

async function measurePeers(units: Units): Promise<Row[]> {
  const { meter, count, url } = units;
  const machines: Json[] = [];
  const joined = await meter.rows(`peer that joins a network of ${EACH}`, count, () =>
    repeat(count, async (n) => machines.push(await enrolledMachine(ownerOf(units, n), {}, url))),
  );
  const known: string[] = [];
  await repeat(count, async (n) => {
    known[n] = hashOf(await configurationOf(machines[n].peer_token, { url }));
  });
  const unchanged = await meter.rows('peer that asks for its unchanged configuration', count, () =>
    repeat(count, (n) => configurationOf(machines[n].peer_token, { known: known[n] ?? '', url })),
  );
  return [...joined, ...unchanged.slice(1)];
}

async function measurePolicies(units: Units): Promise<Row[]> {
  const { meter, count, url } = units;
  const groups = await Promise.all(
    units.owners.map(({ token }) => call('POST /api/network/groups/', { token, url, body: { label: 'servers' } })),
  );
  return meter.rows('policy', count, () =>
    repeat(count, async (n) => {
      const group = groups[n % groups.length]?.body.id;
      const body = {
        name: `policy ${n}`,
        source_group: group,
        dest_group: group,
        protocol: 'tcp',
        ports: [`${1024 + n}`],
      };
      return succeeded(await call('POST /api/network/policies/', { token: ownerOf(units, n).token, url, body }));
    }),
  );
}

async function measureFiles(units: Units): Promise<Row[]> {
  const { meter, count, url } = units;
  const whole = await meter.rows('file of one chunk, uploaded in one request', count, () =>
    repeat(count, (n) => storeFile(ownerOf(units, n), { url })),
  );
  const files = Math.ceil(count / CHUNKS_OF_FILE);
  const chunks = await meter.rows(`chunk, 1 KiB, ${CHUNKS_OF_FILE} of a file`, files * CHUNKS_OF_FILE, () =>
    repeat(files, async (n) => {
      const bytes = Buffer.alloc(CHUNKS_OF_FILE * CHUNK_BYTES, n);
      const upload = await TestUpload.open({ user: ownerOf(units, n), bytes, chunkSize: CHUNK_BYTES, url });
      await upload.putAll();
      return succeeded(await upload.finalize());
    }),
  );
  return [...whole, ...chunks];
}

async function measureWebhooks(units: Units): Promise<Row[]> {
  const { meter, count, url } = units;
  const receiver = await Receiver.open();
  for (const owner of units.owners) await addEndpoint(owner, { url: receiver.url }, url);
  const rows = await meter.rows('notification with its webhook', count, async () => {
    await repeat(count, (n) => tell(ownerOf(units, n), { url }));
    await receiver.request(count);
  });
  receiver.close();
  return rows;
}

/** Starts simulated machines, and measures what their minutes cost beside those of a platform without machines. */
async function measureMachines(units: Units): Promise<Row[]> {
  const { meter, url, machinesMs } = units;
  const owners: readonly SignedIn[] = units.owners.slice(0, 4);
  for (const owner of owners) {
    await setRoles(owner.substrateAddress, ['BETA'], url);
    await grant(owner, '100000', url);
  }
  const machines = owners.length * EACH;
  const idle = await meter.cost(() => delay(machinesMs));
  const started = await meter.rows('machine, until it runs', machines, async () => {
    await runConcurrently(WRITERS, Array(machines).keys(), async (n) => {
      const owner = owners[n % owners.length] ?? { token: '' };
      const { body } = await spawn(owner, { url });
      await machineIn('running', body.id, { token: owner.token, url });
    });
  });
  const minutes = (machines * machinesMs) / 60_000;
  const running = await meter.rows(`minute of a machine, ${machines} at once`, minutes, () => delay(machinesMs), idle);
  return [...started, ...running];
}

function succeeded({ status, text }: { readonly status: number; readonly text: string }): void {
  if (status >= 300) throw new Error(`${status}: ${text}`);
}
