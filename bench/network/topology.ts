import { Client } from 'pg';
import { QueryCompiler } from '../../kernel/database/query.js';
import { GRAPH_OF_USER } from '../../subgraphs/network/views/topology/topology.actions.js';
import { compare, measureCosts } from '../compare.js';
import type { Environment } from '../environment.js';
import type { Row } from '../report.js';
import { sendRequest } from '../send-request.js';

const PATH = '/api/network/topology/';

/**
 * Compares the topology over REST with its SQL statement alone and with a server that returns the same bytes from memory; also
 * measures 304 responses.
 */
export async function measureTopology(environment: Environment): Promise<Row[]> {
  const { platform, bare, owner, databaseUrl, postgresPid } = environment;
  const work = `REST, topology of ${environment.scale.network.peers} peers`;
  const options = { ...environment.scale, parallel: 1 };
  const headers = { authorization: `Token ${owner.token}` };
  const whole = () => sendRequest('GET', platform.url + PATH, { headers });
  const first = await whole();
  await sendRequest('PUT', `${bare.url}/kept`, { body: first.bytes });
  const ours = { name: 'platform', pids: [platform.pid, postgresPid], request: whole };
  const candidates = [
    ours,
    { name: 'node:http, bytes in memory', pids: [bare.pid], request: () => sendRequest('GET', `${bare.url}/kept`, {}) },
  ];
  const rows = await compare(work, candidates, options);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Values stay text: parsing is not part of the statement.
    const statement = {
      ...new QueryCompiler('network').prepare(GRAPH_OF_USER, { id: owner.userId }),
      types: { getTypeParser: () => (text: string) => text },
    };
    const read = async () => ({ bytes: Buffer.from(String((await client.query(statement)).rowCount)) });
    const unchanged = { ...headers, 'if-none-match': String(first.headers.etag) };
    const [cost, alone, notModified] = await measureCosts(
      [
        ours,
        { pids: [postgresPid], request: read },
        {
          pids: [platform.pid, postgresPid],
          request: () => sendRequest('GET', platform.url + PATH, { headers: unchanged }),
        },
      ],
      options,
    );
    return [
      ...rows,
      { work, peer: 'its statement', unit: 'wall ms', ours: cost?.wallMs, theirs: alone?.wallMs, goal: '25' },
      { work: `${work}, 304`, peer: '–', unit: 'wall ms', ours: notModified?.wallMs },
    ];
  } finally {
    // An open client would fail when the database stops and hide the first error.
    await client.end();
  }
}
