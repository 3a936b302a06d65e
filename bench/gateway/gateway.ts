import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { composeServices } from '@apollo/composition';
import { freePort, startProcess } from '../../tests/kit/arrangements.js';
import type { Cleanup } from '../cleanup.js';
import { compete, type Contestant, type Effort } from '../contest.js';
import { temporaryFolder } from '../environment.js';
import { startServer, type Server } from '../processes.js';
import type { Row } from '../report.js';
import { sendRequest } from '../send-request.js';
import { MODULES, OPERATIONS } from './domain.js';

const ENTRY = 'bench/gateway/servers.js';

/** Measures the gateway with subgraphs in its process, then over HTTP. */
export async function measureGateway(cleanup: Cleanup, effort: Effort): Promise<Row[]> {
  const start = (way: string, supergraph: string) => startServer(cleanup, [ENTRY, way, supergraph]);
  const file = join(await temporaryFolder(cleanup), 'supergraph.graphql');
  const subgraphs = await start('subgraphs', file);
  await writeFile(file, compose(subgraphs.url));
  const inProcess = [
    contestant('platform', await start('platform', file), '/graphql'),
    contestant('graphql-jit, one schema', await start('monolith', file)),
    contestant('@apollo/gateway', await start('apollo-local', file)),
  ];
  const overHttp = [
    contestant('platform', await startGateway(cleanup, file), '/graphql'),
    contestant('@apollo/gateway', await start('apollo', file)),
  ];
  return [
    ...(await measureOperations('gateway in process', inProcess, effort)),
    ...(await measureOperations('gateway over HTTP', overHttp, effort)),
  ];
}

type Ask = (query: string) => Contestant;

async function measureOperations(work: string, asks: readonly Ask[], effort: Effort): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, query] of Object.entries(OPERATIONS))
    rows.push(
      ...(await compete(
        `${work}, ${name}`,
        asks.map((ask) => ask(query)),
        effort,
      )),
    );
  return rows;
}

function contestant(name: string, { url, pid }: Server, path = '/'): Ask {
  const headers = { 'content-type': 'application/json' };
  return (query) => {
    const body = JSON.stringify({ query });
    return {
      name,
      pids: [pid],
      request: () => sendRequest('POST', url + path, { headers, body }),
    };
  };
}

async function startGateway(cleanup: Cleanup, file: string): Promise<Server> {
  const port = await freePort();
  const words = ['gateway/entrypoints/router.js', '--supergraph', file, '--port', `${port}`];
  const gateway = await startProcess(words, {});
  cleanup.add(() => gateway.stop());
  return { url: `http://127.0.0.1:${port}`, pid: gateway.child.pid ?? 0 };
}

function compose(url: string): string {
  const services = Object.entries(MODULES).map(([name, { typeDefs }]) => ({ name, url: `${url}/${name}`, typeDefs }));
  const { supergraphSdl, errors } = composeServices(services);
  if (supergraphSdl === undefined) throw new Error(errors?.join('\n'));
  return supergraphSdl;
}
