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
import { call, codeOf, graphql } from '../../kit/platform.js';
import { runToEnd, spawnCommand } from '../../kit/run.js';
import { end, until } from '../../kit/watch.js';

const ERROR = {
  message: 'the shelf is empty',
  path: ['book'],
  extensions: { code: 'OUT_OF_STOCK', shelf: 7 },
};

const TYPES = 'scalar Long type Query { book: String at(id: Long, weight: Float): String }';

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
  const { supergraphSdl = '' } = composeServices([{ name: 'books', url: subgraph, typeDefs: parse(TYPES) }]);
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

describe('a number that the gateway alone would round', () => {
  it.each(['id: 9007199254740993', 'id: 0.12345678901234567891', 'id: 1e400', 'weight: 1e400'])(
    'is refused in a document with 400: %s',
    async (literal) => {
      const query = `{ at(${literal}) }`;
      const replies = [
        await call('POST /graphql', { url, body: { query } }),
        await call(`GET /graphql?query=${encodeURIComponent(query)}`, { url }),
      ];
      expect(replies.map(({ status, body }) => [status, codeOf(body)])).toEqual(
        replies.map(() => [400, 'BAD_REQUEST']),
      );
    },
  );
});

describe('the gateway alone, started with a mistake', () => {
  const usage = 'usage: npm run gateway -- --supergraph FILE --port N .*\\n$';
  it.each([
    [['--supergraph', 'nope', '--port', '0'], /^--supergraph: nope cannot be read: ENOENT.*\n$/],
    [['--supergraph', 'no/such', '--port', '0'], /^--supergraph: no\/such cannot be read: ENOENT.*\n$/],
    [['--supergraph', 'package.json', '--port', '0'], /^--supergraph: package\.json is no supergraph: .*\n$/],
    [['--supergraph', 'README.md', '--port', '0'], /^--supergraph: README\.md is no supergraph: .*\n$/],
    [['--supergraph', 'nope', '--port', '65536'], new RegExp(`^${usage}`)],
    [
      ['--supergraph', 'schema/supergraph.graphql', '--port', '0', '--subscriptions', 'accounts=http://a.example'],
      /^--subscriptions: expected NAME=ws:\/\/host:port\/path or NAME=callback, but got accounts=http:\/\/a\.example\.\n$/,
    ],
    [['--supergraph'], new RegExp(`^Option '--supergraph <value>' argument missing\\n${usage}`)],
    [['--wrong'], new RegExp(`^Unknown option '--wrong'.*\\n${usage}`)],
    [['nope'], new RegExp(`^Unexpected argument 'nope'.*\\n${usage}`)],
  ])('says so: %j', async (words, line) => {
    const { code, stderr } = await runToEnd(['bundle/router.js', ...words], {});
    expect([code, stderr]).toEqual([1, expect.stringMatching(line)]);
  });

  it('says so in one line when the file is a schema but no supergraph', async () => {
    const file = join(folder, 'schema.graphql');
    await writeFile(file, 'type Query { book: String }');
    const { code, stderr } = await runToEnd(['bundle/router.js', '--supergraph', file], {});
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^--supergraph: .* is no supergraph: .*\n$/)]);
  });

  it.each([
    ['authenticated', 'a: String @authenticated'],
    ['requiresScopes', 'a: String @requiresScopes(scopes: [["x"]])'],
    ['policy', 'a: String @policy(policies: [["x"]])'],
  ])('names the directive that it does not support: @%s', async (name, field) => {
    const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.8", import: ["@${name}"])`;
    const typeDefs = parse(`${link} type Query { ${field} }`);
    const file = join(folder, `${name}.graphql`);
    await writeFile(file, composeServices([{ name: 's', url: 'http://a.example', typeDefs }]).supergraphSdl ?? '');
    const { code, stderr } = await runToEnd(['bundle/router.js', '--supergraph', file], {});
    const line = new RegExp(
      `^--supergraph: .* is no supergraph.*: .*/${name}/v0.1 is for: SECURITY but is unsupported\\n$`,
    );
    expect([code, stderr]).toEqual([1, expect.stringMatching(line)]);
  });

  it('says that subgraphs with callbacks need an address, when other hosts can reach the gateway', async () => {
    const words = ['--supergraph', 'nope', '--port', '0', '--subscriptions', 'accounts=callback'];
    const start = (env: Readonly<Record<string, string>>) => runToEnd(['bundle/router.js', ...words], env);
    expect((await start({ HOST: '0.0.0.0' })).stderr).toMatch(
      /^--subscriptions: PUBLIC_URL .*localhost.*\n.*nope cannot/,
    );
    for (const env of [{ HOST: '127.0.0.1' }, { HOST: '0.0.0.0', PUBLIC_URL: 'http://gateway.example' }])
      expect((await start(env)).stderr).not.toContain('PUBLIC_URL');
  });
});
