import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { packageRoot } from '../../../kernel/package-root.js';
import { fillScript } from '../../../subgraphs/network/joining/join/join.rules.js';
import { until } from '../../kit/watch.js';

/** Stand-ins for the programs of a machine, in the order of PATH before its own. A sleep of whole seconds is only noted. */
const PROGRAMS = {
  id: 'echo 0',
  nft: 'exit 0',
  sleep:
    'case $1 in *.*) exec /bin/sleep "$1" ;; esac; echo "$1" >>"$HOME/sleeps"; [ ! -e "$HOME/waits" ] || exec /bin/sleep "$1"',
  'nebula-cert': 'while [ $# -gt 1 ]; do case $1 in -out-*) echo key >"$2" ;; esac; shift; done',
  nebula: `[ "$1" != -test ] || exit 0; [ ! -e "$HOME/broken" ] || exit 1; echo 'Nebula interface is active'; exec tail -f /dev/null`,
};

let server: Server;
let script: string;
let home: string;
/** Answers requests for configurations; never answers those of a machine that waits. */
let configuration: (request: IncomingMessage, response: ServerResponse) => void;
let asked: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(`${request.method} ${path.split('?')[0]}`);
    if (path === '/network/join.sh') response.end(script);
    else if (path === '/api/network/join/') response.writeHead(201).end('{"token":"new","ip":"100.64.0.10"}');
    else if (path === '/api/network/report/') response.end('{}');
    else configuration(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const file = readFileSync(join(packageRoot(), 'subgraphs/network/joining/join/join.sh'), 'utf8');
  script = fillScript(file, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  asked = [];
  home = mkdtempSync(join(tmpdir(), 'archipelago-'));
  for (const [name, lines] of Object.entries(PROGRAMS))
    writeFileSync(join(home, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
});
afterEach(async () => {
  const pid = Number(read('agent.pid') || 0);
  if (pid > 0) process.kill(pid, 'SIGTERM');
  await until(async () => !existsSync(join(home, 'agent.pid')));
  rmSync(home, { recursive: true });
});

function read(name: string): string {
  return existsSync(join(home, name)) ? readFileSync(join(home, name), 'utf8') : '';
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(home, name), content);
}

/** Runs the script as a machine does. */
async function run(...words: string[]): Promise<{ readonly code: number | null; readonly said: string }> {
  const env = { PATH: `${home}:${process.env.PATH}`, HOME: home, ARCHIPELAGO_DIR: home };
  const child = spawn('sh', ['-s', '--', ...words], { env, stdio: ['pipe', 'ignore', 'pipe'] });
  child.stdin.end(script);
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code: code as number | null, said };
}

const HASH = 'a1'.repeat(32);
/** What a machine has that joined and ran before. */
const JOINED = {
  token: 'Peer-Token: old\n',
  'host.key': 'old',
  'host.pub': 'old',
  'config.yml': 'firewall:\n',
  etag: 'b2'.repeat(32),
  applied: 'b2'.repeat(32),
};

/** Answers the token with a configuration, once, and others with 401. */
function knows(token: string): typeof configuration {
  return ({ headers }, response) => {
    if (headers['peer-token'] !== token) response.writeHead(401).end('{"error":"x"}');
    else if (headers['if-none-match'] !== `"${HASH}"`) response.setHeader('etag', `"${HASH}"`).end('firewall:\n');
  };
}

describe('a machine whose peer was deleted while its agent was down', () => {
  it('joins by a new setup key, and its network is up by the new configuration', async () => {
    write({ ...JOINED, waits: '' });
    configuration = knows('new');
    const { code, said } = await run('arp_join_new');
    expect([code, said]).toEqual([0, expect.stringMatching(/joined as 100\.64\.0\.10[^]*the network is up/)]);
    expect([read('token'), read('applied'), read('host.key')]).toEqual(['Peer-Token: new\n', HASH, 'key\n']);
  });

  it('keeps its token where the platform still knows it', async () => {
    write({ ...JOINED, waits: '' });
    configuration = knows('old');
    expect(await run('arp_join_new')).toMatchObject({ code: 0, said: expect.stringContaining('the network is up') });
    expect([read('token'), asked.includes('POST /api/network/join/')]).toEqual([JOINED.token, false]);
  });

  it('keeps its token where the platform refuses it only once', async () => {
    write({ ...JOINED, waits: '' });
    let answers = 0;
    configuration = (request, response) => knows(answers++ === 0 ? 'none' : 'old')(request, response);
    expect(await run('arp_join_new')).toMatchObject({ code: 0, said: expect.stringContaining('the network is up') });
    expect([read('token'), asked.includes('POST /api/network/join/')]).toEqual([JOINED.token, false]);
  });
});

describe('a machine that joined before', () => {
  it('is not said to be up by what it ran before', async () => {
    write({ ...JOINED, broken: '' });
    configuration = knows('old');
    expect(await run()).toMatchObject({ code: 1, said: expect.stringContaining('no configuration is in force') });
  });

  it('is up by its kept configuration while the platform is away', async () => {
    write({ ...JOINED, waits: '' });
    configuration = (_, response) => response.writeHead(503).end();
    expect(await run()).toMatchObject({ code: 0, said: expect.stringContaining('the network is up') });
  });
});

describe('an agent whose configuration cannot be applied', () => {
  it('asks less and less often', async () => {
    write({ token: JOINED.token, broken: '' });
    let answers = 0;
    configuration = (request, response) => knows(answers++ < 7 ? 'old' : 'none')(request, response);
    expect((await run('--foreground')).code).toBe(0);
    expect(read('sleeps').split('\n')).toEqual(['1', '2', '4', '8', '16', '30', '30', '1', '']);
  });
});

describe('the unit of a machine', () => {
  it('does not start once the machine has left the network', async () => {
    const child = spawn('sh', ['-s'], { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.end(script.replace(/main "\$@"\s*$/, 'print_unit'));
    expect(await text(child.stdout)).toContain('\nConditionPathExists=/etc/archipelago/token\n[Service]\n');
  });
});
