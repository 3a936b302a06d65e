import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, startProcess } from '../../../tests/kit/arrangements.js';
import type { Cleanup } from '../../cleanup.js';
import { temporaryFolder } from '../../environment.js';
import { cpuMs, residentKib, startServer, type Server } from '../../processes.js';
import type { Row } from '../../report.js';
import { sendRequest } from '../../send-request.js';
import { median } from '../../statistics.js';
import { Clients, requireFiles } from './clients.js';
import { SCHEMA } from './schema.js';

const QUERY = 'subscription { added }';
const EVENT = 'x'.repeat(250);
/** Sockets that are opened and closed before the memory of a server is read. */
const WARMING = 200;
const LEAVING_MS = 1_000;

/** How many sockets there are, on how many servers, and how many events they get. */
export interface SocketsScale {
  readonly sockets: number;
  readonly gateways: number;
  readonly rounds: number;
}

/** Servers of the same kind with a socket of each client. */
interface Program {
  readonly name: string;
  readonly servers: readonly Server[];
  readonly query: string | undefined;
  /** Where an event is sent, and as what. */
  readonly targets: readonly string[];
  readonly event: string;
  /** Whether an event would come to all clients. */
  readonly isReady: () => Promise<boolean>;
}

interface Figures {
  readonly wallMs: number;
  readonly cpuUs: number;
  readonly kib: number;
}

/** Measures one event to all sockets of gateways without users, beside raw ws and graphql-ws. @throws when too few files may be open */
export async function measureSockets(cleanup: Cleanup, scale: SocketsScale): Promise<Row[]> {
  requireFiles(scale.sockets, scale.gateways);
  const [ours, ...peers] = [startOurs, startRaw, startStock];
  const platform = await measureAlone(cleanup, ours, scale);
  const rows: Row[] = [];
  for (const start of peers) {
    const { name, figures } = await measureAlone(cleanup, start, scale);
    rows.push(...rowsOf(scale, platform.figures, { peer: name, figures }));
  }
  return rows;
}

type Start = (cleanup: Cleanup, gateways: number) => Promise<Program>;

async function startOurs(cleanup: Cleanup, gateways: number): Promise<Program> {
  const source = await startServer(cleanup, ['bench/network/sockets/servers.js', 'source']);
  const file = join(await temporaryFolder(cleanup), 'supergraph.graphql');
  const books = { name: 'books', url: `${source.url}/`, typeDefs: parse(SCHEMA) };
  await writeFile(file, composeServices([books]).supergraphSdl ?? '');
  const servers = await startAll(gateways, async () => {
    const port = await freePort();
    const gateway = ['bundle/router.js', '--supergraph', file, '--port', `${port}`];
    const started = await startProcess(gateway, {});
    cleanup.add(() => started.stop());
    return { url: `http://127.0.0.1:${port}`, pid: started.child.pid ?? 0 };
  });
  const streams = async () => Number((await sendRequest('GET', source.url, {})).bytes.toString());
  const isReady = async () => (await streams()) === gateways;
  return { name: 'platform', servers, query: QUERY, targets: [`${source.url}/send`], event: EVENT, isReady };
}

async function startRaw(cleanup: Cleanup, gateways: number): Promise<Program> {
  const servers = await startAll(gateways, () => startServer(cleanup, ['bench/network/bare.js']));
  const targets = servers.map(({ url }) => `${url}/send?times=1`);
  const event = JSON.stringify({ id: '1', type: 'next', payload: { data: { added: EVENT } } });
  return { name: 'raw ws', servers, query: undefined, targets, event, isReady: async () => true };
}

async function startStock(cleanup: Cleanup, gateways: number): Promise<Program> {
  const start = () => startServer(cleanup, ['bench/network/sockets/servers.js', 'stock']);
  const servers = await startAll(gateways, start);
  const targets = servers.map(({ url }) => `${url}/send`);
  return { name: 'graphql-ws', servers, query: QUERY, targets, event: EVENT, isReady: async () => true };
}

/** Starts one server after another, because free ports are found one by one. */
async function startAll(count: number, start: () => Promise<Server>): Promise<Server[]> {
  const servers: Server[] = [];
  while (servers.length < count) servers.push(await start());
  return servers;
}

/** Measures a program and stops it, so that programs do not run beside each other. */
async function measureAlone(
  cleanup: Cleanup,
  start: Start,
  scale: SocketsScale,
): Promise<{ readonly name: string; readonly figures: Figures }> {
  const program = await start(cleanup, scale.gateways);
  const figures = await measure(program, scale);
  await cleanup.run();
  return { name: program.name, figures };
}

async function measure(program: Program, { sockets, rounds }: SocketsScale): Promise<Figures> {
  const pids = program.servers.map(({ pid }) => pid);
  const warm = await open(program, Math.min(sockets, WARMING * pids.length));
  for (let round = 0; round < rounds; round++) await sendEvent(program, warm);
  for (const each of warm) each.close();
  await delay(LEAVING_MS);
  const before = memoryOf(pids);
  const clients = await open(program, sockets);
  const kib = (memoryOf(pids) - before) / sockets;
  await sendEvent(program, clients);
  const startMs = cpuMs(pids) ?? Number.NaN;
  const wall: number[] = [];
  for (let round = 0; round < rounds; round++) wall.push(await sendEvent(program, clients));
  const spentMs = (cpuMs(pids) ?? Number.NaN) - startMs;
  for (const each of clients) each.close();
  return { wallMs: median(wall), cpuUs: (1_000 * spentMs) / rounds / sockets, kib };
}

async function open({ servers, query, isReady }: Program, sockets: number): Promise<readonly Clients[]> {
  const clients = await Clients.open(servers, query, sockets);
  while (!(await isReady())) await delay(10);
  return clients;
}

function memoryOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (residentKib(pid) ?? Number.NaN), 0);
}

/** Sends an event. Returns the milliseconds until all sockets have it. */
async function sendEvent({ targets, event }: Program, clients: readonly Clients[]): Promise<number> {
  const received = Promise.all(clients.map((each) => each.next()));
  const startMs = performance.now();
  const sent = targets.map((url) => sendRequest('POST', url, { body: event }));
  await Promise.all([received, ...sent]);
  return performance.now() - startMs;
}

function rowsOf(
  { sockets, gateways }: SocketsScale,
  ours: Figures,
  { peer, figures: theirs }: { readonly peer: string; readonly figures: Figures },
): Row[] {
  const work = `one event to ${sockets} sockets, ${gateways} ${gateways === 1 ? 'gateway' : 'gateways'}`;
  return [
    { work, peer, unit: 'wall ms', ours: ours.wallMs, theirs: theirs.wallMs },
    { work, peer, unit: 'CPU µs a message', ours: ours.cpuUs, theirs: theirs.cpuUs },
    { work, peer, unit: 'KiB a socket', ours: ours.kib, theirs: theirs.kib },
  ];
}
