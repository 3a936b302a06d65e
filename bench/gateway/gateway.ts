import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { composeServices } from '@apollo/composition';
import { freePort, startProcess } from '../../tests/kit/arrangements.js';
import type { Cleanup } from '../cleanup.js';
import { measureComparisons, type Candidate, type Cost, type MeasureOptions } from '../compare.js';
import { temporaryFolder } from '../environment.js';
import { startServer, type Server } from '../processes.js';
import type { Row } from '../report.js';
import { sendRequest } from '../send-request.js';
import { MODULES, OPERATIONS } from './domain.js';
import { PRODUCTION, startPeers } from './peers.js';

const ENTRY = 'bench/gateway/servers.js';

/** Measures the gateway with subgraphs in its process, then over HTTP. @param withPeers also those of bench/peers, over HTTP */
export async function measureGateway(cleanup: Cleanup, options: MeasureOptions, withPeers: boolean): Promise<Row[]> {
  const start = (way: string, supergraph: string) => startServer(cleanup, [ENTRY, way, supergraph], PRODUCTION);
  const file = join(await temporaryFolder(cleanup), 'supergraph.graphql');
  const subgraphs = await start('subgraphs', file);
  await writeFile(file, compose(subgraphs.url));
  const inProcess = [
    candidate('platform', await start('platform', file), { path: '/graphql' }),
    candidate('graphql-jit, one schema', await start('monolith', file), { goal: 1.1 }),
    candidate('@apollo/gateway', await start('apollo-local', file)),
  ];
  const peers = withPeers ? await startPeers(cleanup, file, subgraphs.url) : [];
  const overHttp = [
    candidate('platform', await startGateway(cleanup, file), { path: '/graphql' }),
    candidate('@apollo/gateway', await start('apollo', file)),
    ...peers.map(({ name, server }) => candidate(name, server, { path: '/graphql' })),
  ];
  return [
    ...(await measureOperations('gateway in process', inProcess, options)),
    ...(await measureOperations('gateway over HTTP', overHttp, options)),
  ];
}

type CandidateOf = (query: string) => Candidate;

async function measureOperations(
  work: string,
  programs: readonly CandidateOf[],
  options: MeasureOptions,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, query] of Object.entries(OPERATIONS)) {
    const candidates = programs.map((candidateOf) => candidateOf(query));
    for (const { ours, theirs, ...row } of await measureComparisons(`${work}, ${name}`, candidates, options)) {
      const perSecond = ({ wallMs }: Cost) => (options.parallel * 1_000) / wallMs;
      rows.push(
        { ...row, unit: 'CPU µs', ours: ours.cpuMs * 1_000, theirs: theirs.cpuMs * 1_000 },
        { ...row, goal: '', unit: 'requests a second', ours: perSecond(ours), theirs: perSecond(theirs) },
      );
    }
  }
  return rows;
}

interface CandidateOptions {
  readonly path?: string;
  readonly goal?: number;
}

function candidate(name: string, { url, pid }: Server, { path = '/', goal }: CandidateOptions = {}): CandidateOf {
  const headers = { 'content-type': 'application/json' };
  return (query) => {
    const body = JSON.stringify({ query });
    return {
      name,
      goal,
      pids: [pid],
      request: () => sendRequest('POST', url + path, { headers, body }),
    };
  };
}

async function startGateway(cleanup: Cleanup, file: string): Promise<Server> {
  const port = await freePort();
  const words = ['bundle/router.js', '--supergraph', file, '--port', `${port}`];
  const gateway = await startProcess(words, PRODUCTION);
  cleanup.add(() => gateway.stop());
  return { url: `http://127.0.0.1:${port}`, pid: gateway.child.pid ?? 0 };
}

function compose(url: string): string {
  const services = Object.entries(MODULES).map(([name, { typeDefs }]) => ({ name, url: `${url}/${name}`, typeDefs }));
  const { supergraphSdl, errors } = composeServices(services);
  if (supergraphSdl === undefined) throw new Error(errors?.join('\n'));
  return supergraphSdl;
}
