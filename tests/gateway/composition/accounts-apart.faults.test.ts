import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ANONYMOUS } from '../../../kernel/security/viewer.js';
import { freePort, startProcess, type RunningProcess } from '../../kit/arrangements.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { graphql } from '../../kit/platform.js';
import { until } from '../../kit/watch.js';

const SECRET = 'the-subgraph-secret-of-the-tests';
const IGNORED = 'an-admin-token-that-nobody-reads';

let dataDir: string;
let url: string;
let accountsPort: number;
let accounts: RunningProcess;
let platform: RunningProcess;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  const port = await freePort();
  accountsPort = await freePort();
  url = `http://127.0.0.1:${port}`;
  const shared = { SUBGRAPH_SECRET: SECRET, PUBLIC_URL: url, PAYPROC: 'off' };
  accounts = await startProcess(['bundle/subgraph.js', 'accounts'], {
    ...shared,
    PORT: `${accountsPort}`,
    DATA_DIR: join(dataDir, 'accounts'),
    DATABASE_URL: await newDatabase(),
  });
  platform = await startProcess(['bundle/platform.js'], {
    ...shared,
    PORT: `${port}`,
    DATA_DIR: join(dataDir, 'platform'),
    DATABASE_URL: await newDatabase(),
    SUBGRAPHS: `accounts=http://127.0.0.1:${accountsPort}`,
    ADMIN_TOKEN: IGNORED,
  });
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await accounts.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Whether a port of this machine takes connections. */
function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.unref().end();
  });
}

/** What a process prints of the admin token, soon after it is ready. */
async function printedBy(process: RunningProcess): Promise<string> {
  const line = () => /^ {2}admin token (.*)\n/m.exec(process.output())?.[1];
  await until(async () => line() !== undefined);
  return line() ?? '';
}

describe('a platform whose accounts run apart', () => {
  it('prints no admin token of its own, and says where ADMIN_TOKEN belongs', async () => {
    expect(await printedBy(platform)).toBe(
      'is stored by the accounts process: set ADMIN_TOKEN there, or read admin-token in its DATA_DIR; ADMIN_TOKEN is not read here',
    );
  });

  it('does not know the ADMIN_TOKEN that was set for it in vain', async () => {
    const { errors } = await graphql('{ me { id } }', { token: IGNORED, url });
    expect(errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });

  it('says what it simulates: machines, and no payments where these are off', async () => {
    const { data } = await graphql('{ areMachinesSimulated arePaymentsSimulated }', { url });
    expect(data).toEqual({ areMachinesSimulated: true, arePaymentsSimulated: false });
  });

  it('knows the token in the file that accounts prints', async () => {
    const file = await printedBy(accounts);
    const token = (await readFile(file, 'utf8')).trim();
    const { data } = await graphql('{ me { roles } }', { token, url });
    expect([file, data]).toEqual([join(dataDir, 'accounts/admin-token'), { me: { roles: ['SUPERUSER'] } }]);
  });

  it('has its client connect again after 1,000 requests, perhaps to a new replica', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { 'x-subgraph-secret': SECRET };
    const connections: (string | undefined)[] = [];
    for (let sent = 0; sent < 1_000; sent++) {
      const sending = get({ host: '127.0.0.1', port: accountsPort, path: '/health/ready', headers, agent });
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      connections.push(response.headers.connection);
      await once(response.resume(), 'end');
    }
    agent.destroy();
    expect([connections.slice(0, -1).includes('close'), connections.at(-1)]).toEqual([false, 'close']);
  });
});

describe('an accounts process that stops', () => {
  it('answers what is under way, and the next request of its connection as the last one', async () => {
    const socket = connect(accountsPort, '127.0.0.1');
    const viewer = Buffer.from(JSON.stringify(ANONYMOUS)).toString('base64url');
    const fields = `Host: x\r\nX-Subgraph-Secret: ${SECRET}\r\nX-Viewer: ${viewer}\r\n`;
    const body = '{"query":"{__typename}"}';
    // The first request is under way as long as its body is not complete.
    socket.write(`POST / HTTP/1.1\r\n${fields}Content-Length: ${body.length}\r\n\r\n{`);
    // When a later request is answered, this one has been read.
    await once(get({ host: '127.0.0.1', port: accountsPort, headers: { 'x-subgraph-secret': SECRET } }), 'response');
    const stopped = accounts.stop();
    await until(async () => !(await accepts(accountsPort)));
    socket.write(`${body.slice(1)}GET /health/ready HTTP/1.1\r\n${fields}\r\n`);
    const answers = (await text(socket)).split(/(?=HTTP\/1\.1 )/);
    await stopped;
    expect(answers).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 200 [^]*connection: keep-alive/i),
      expect.stringMatching(/^HTTP\/1\.1 200 [^]*connection: close/i),
    ]);
  });
});
