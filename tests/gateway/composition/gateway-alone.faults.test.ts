import { composeServices } from '@apollo/composition';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../kit/arrangements.js';
import { graphql } from '../../kit/platform.js';
import { runToEnd, spawnCommand } from '../../kit/run.js';
import { end, until } from '../../kit/watch.js';

const ERROR = {
  message: 'the shelf is empty',
  path: ['book'],
  extensions: { code: 'OUT_OF_STOCK', shelf: 7 },
};

let foreign: Server;
let folder: string;
let gateway: ReturnType<typeof spawnCommand>;
let url: string;
beforeAll(async () => {
  foreign = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: { book: null }, errors: [ERROR] }));
  }).listen(0, '127.0.0.1');
  await once(foreign, 'listening');
  const subgraph = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`;
  const { supergraphSdl = '' } = composeServices([
    { name: 'books', url: subgraph, typeDefs: parse('type Query { book: String }') },
  ]);
  folder = await mkdtemp(join(tmpdir(), 'archipelago-gateway-'));
  await writeFile(join(folder, 'supergraph.graphql'), supergraphSdl);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  gateway = spawnCommand(['gateway', '--supergraph', join(folder, 'supergraph.graphql'), '--port', `${port}`], {});
  let output = '';
  gateway.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(async () => output.includes('gateway ready'), 60_000);
}, 90_000);
afterAll(async () => {
  await end(gateway, 'SIGTERM');
  foreign.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the gateway alone', () => {
  it('passes on the error of a foreign subgraph with its code and its other extensions', async () => {
    const { data, errors } = await graphql('{ book }', { url });
    expect({ data, errors }).toMatchObject({ data: { book: null }, errors: [ERROR] });
  });

  it('shows no stack trace', async () => {
    expect(JSON.stringify(await graphql('{ book }', { url }))).not.toContain('stacktrace');
  });
});

describe('the gateway alone, started with a mistake', () => {
  const usage = 'usage: npm run gateway -- --supergraph FILE --port N .*\\n$';
  it.each([
    [['--supergraph', 'nope', '--port', '0'], /^--supergraph: nope cannot be read: ENOENT.*\n$/],
    [['--supergraph', 'no/such', '--port', '0'], /^--supergraph: no\/such cannot be read: ENOENT.*\n$/],
    [['--supergraph', 'package.json', '--port', '0'], /^--supergraph: package\.json is no supergraph: .*\n$/],
    [['--supergraph', 'README.md', '--port', '0'], /^--supergraph: README\.md is no supergraph: .*\n$/],
    [['--supergraph', 'nope', '--port', '65536'], new RegExp(`^${usage}`)],
    [['--supergraph'], new RegExp(`^Option '--supergraph <value>' argument missing\\n${usage}`)],
    [['--wrong'], new RegExp(`^Unknown option '--wrong'.*\\n${usage}`)],
    [['nope'], new RegExp(`^Unexpected argument 'nope'.*\\n${usage}`)],
  ])('says so: %j', async (words, line) => {
    const { code, stderr } = await runToEnd(['gateway/entrypoints/router.js', ...words], {});
    expect([code, stderr]).toEqual([1, expect.stringMatching(line)]);
  });

  it('says so in one line when the file is a schema but no supergraph', async () => {
    const file = join(folder, 'schema.graphql');
    await writeFile(file, 'type Query { book: String }');
    const { code, stderr } = await runToEnd(['gateway/entrypoints/router.js', '--supergraph', file], {});
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^--supergraph: .* is no supergraph: .*\n$/)]);
  });
});
