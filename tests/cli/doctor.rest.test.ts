import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../kit/arrangements.js';
import { openCommandLine, type CommandLine } from '../kit/command-line.js';
import { platform } from '../kit/platform.js';

let line: CommandLine;
beforeAll(async () => {
  line = await openCommandLine();
});
afterAll(() => line.close());

describe('doctor', () => {
  it('examines the computer and the platform', async () => {
    const checks = await line.json('doctor');
    expect(checks.map(({ check }: { check: string }) => check)).toEqual([
      'node',
      'platform',
      'clock',
      'port',
      'lighthouse port',
      'machines',
      'payments',
      'data directory',
      'database',
      'nebula',
      'qemu',
    ]);
    const simulated = checks.filter(({ check }: { check: string }) => ['machines', 'payments'].includes(check));
    expect(simulated).toEqual([
      { check: 'machines', state: 'warning', detail: 'simulated: no host runs them' },
      { check: 'payments', state: 'warning', detail: 'simulated: test money' },
    ]);
    const { port } = new URL(platform().url);
    expect(checks[3]).toEqual({ check: 'port', state: 'ok', detail: `the platform listens on ${port}` });
    const away = await line.run('--url', `http://127.0.0.1:${await freePort()}`, 'doctor');
    expect([away.code, away.stdout]).toEqual([1, expect.stringMatching(/platform\s+failed/)]);
  });

  it.each([
    ['the database whose address is in a file', 'database-url', '', /database\s+failed\s+connect ECONNREFUSED/],
    ['a file of the address that is not there', 'nothing', '', /failed\s+DATABASE_URL_FILE names \S+, .* \(ENOENT\)\./],
    [
      'a file of the address that is empty',
      'empty',
      '',
      /database\s+failed\s+DATABASE_URL_FILE names \S+, which is empty/,
    ],
    [
      'two addresses',
      'database-url',
      'postgres://::',
      /database\s+failed\s+Set DATABASE_URL or DATABASE_URL_FILE, not both/,
    ],
  ])('examines %s', async (_, name, address, sentence) => {
    await writeFile(join(line.folder, 'database-url'), `postgres://127.0.0.1:${await freePort()}/archipelago\n`);
    await writeFile(join(line.folder, 'empty'), '\n');
    const own = await openCommandLine({ DATABASE_URL_FILE: join(line.folder, name), DATABASE_URL: address });
    const { code, stdout } = await own.run('doctor');
    await own.close();
    expect([code, stdout]).toEqual([1, expect.stringMatching(sentence)]);
  });

  it('examines the whole address, and counts empty variables as unset', async () => {
    const server = createServer(({ url }, response) => {
      const status = url?.startsWith('/cloud/health/') ? 200 : 404;
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"status":"live"}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/cloud`;
    const env = { DATA_DIR: '', DATABASE_URL: '', DATABASE_URL_FILE: '' };
    const own = await openCommandLine({ ARCHIPELAGO_URL: url, ...env });
    const { stdout } = await own.run('--json', 'doctor');
    const checks: { check: string; state: string; detail: string }[] = JSON.parse(stdout);
    await own.close();
    server.close();
    const found = new Map(checks.map(({ check, state, detail }) => [check, `${state}: ${detail}`]));
    expect(found.get('platform')).toBe(`ok: ${url}`);
    expect(found.get('port')).toMatch(/^ok: the platform listens on /);
    expect(found.get('database')).toBe('ok: embedded: DATABASE_URL is not set');
    expect(found.get('data directory')).toContain(join(process.cwd(), '.data'));
  });

  it('says why a port that accepts connections does not tell of its health', async () => {
    const server = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const own = await openCommandLine({ ARCHIPELAGO_URL: `http://127.0.0.1:${port}` });
    const { code, stdout } = await own.run('doctor');
    await own.close();
    server.close();
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        RegExp(`port +failed +${port} accepts connections, but the request for its health failed: `),
      ),
    ]);
  });

  it('names the ports that another program has', async () => {
    const server = createServer((_request, response) => response.end('<h1>Welcome</h1>')).listen(0, '127.0.0.1');
    const socket = createSocket('udp4').bind(0);
    await Promise.all([once(server, 'listening'), once(socket, 'listening')]);
    const taken = socket.address().port;
    const { port } = server.address() as AddressInfo;
    const own = await openCommandLine({
      ARCHIPELAGO_URL: `http://127.0.0.1:${port}`,
      LIGHTHOUSE_PORT: `${taken}`,
      DATA_DIR: line.folder,
    });
    const { code, stdout } = await own.run('doctor');
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(RegExp(`port +failed +another program listens on ${port}`)),
    ]);
    expect(stdout).toMatch(
      RegExp(`lighthouse port +warning +another program, or a lighthouse .*, listens on UDP ${taken}: `),
    );
    await mkdir(join(line.folder, 'lighthouse'));
    await writeFile(join(line.folder, 'lighthouse/updated'), '');
    expect((await own.run('doctor')).stdout).toMatch(
      RegExp(`lighthouse port +ok +a lighthouse listens on UDP ${taken}`),
    );
    await own.close();
    server.close();
    socket.close();
  });
});
