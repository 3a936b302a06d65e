import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cacheExchange, Client, fetchExchange } from '@urql/core';
import { initGraphQLTada } from 'gql.tada';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../../kernel/package-root.js';
import type { RunningPlatform } from '../../../kit/arrangements.js';
import { newDatabase, startOnDatabase } from '../../../kit/database/own-database.js';
import { call, codeOf, type Reply } from '../../../kit/platform.js';
import { runToEnd } from '../../../kit/run.js';
import { TestSocket } from '../../../kit/socket.js';
import { newWallet, signIn } from '../../../kit/accounts/wallet.js';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Documents of an operator, in the two formats of manifests. */
const IN_APOLLO = 'query Name { __typename }';
const BY_HASH = 'query Id { me { id } }';
const DEFERRED = 'query Later { __typename ... @defer(label: "rest") { me { id } } }';
/** A document of the dashboard. */
const ME = '{ me { id username email substrateAddress roles createdAt } }';

let folder: string;
let platform: RunningPlatform;
let url: string;
let token: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archipelago-documents-'));
  const operations = [
    { id: 'name-1', name: 'Name', type: 'query', body: IN_APOLLO },
    { id: 'later-1', name: 'Later', type: 'query', body: DEFERRED },
  ];
  const manifests = {
    'apollo.json': { format: 'apollo-persisted-query-manifest', version: 1, operations },
    'by-hash.json': { [hashOf(BY_HASH)]: BY_HASH },
  };
  for (const [name, manifest] of Object.entries(manifests))
    await writeFile(join(folder, name), JSON.stringify(manifest));
  const files = [
    ...Object.keys(manifests).map((name) => join(folder, name)),
    join(packageRoot(), 'dist/documents.json'),
  ];
  platform = await startOnDatabase({ TRUSTED_DOCUMENTS: files.join(',') });
  ({ url } = platform);
  ({ token } = await signIn(newWallet(), url));
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const post = (body: object) => call('POST /graphql', { url, token, body });
const get = (parameters: Readonly<Record<string, string>>) =>
  call(`GET /graphql?${new URLSearchParams(parameters).toString()}`, { url, token });
const codeWithStatus = ({ status, body }: Reply) => ({ status, code: codeOf(body) });
const persisted = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });

describe('a platform with documents of its operator', () => {
  it('executes these, by text, by hash and by id, over POST and GET', async () => {
    for (let i = 0; i < 2; i++) {
      expect((await post({ query: IN_APOLLO })).body).toEqual({ data: { __typename: 'Query' } });
      expect((await post({ extensions: persisted('name-1') })).body).toEqual({ data: { __typename: 'Query' } });
      expect((await post({ extensions: persisted(hashOf(BY_HASH)) })).body).toHaveProperty('data.me.id');
    }
    expect((await get({ query: BY_HASH })).body).toHaveProperty('data.me.id');
    const extensions = JSON.stringify(persisted('name-1'));
    expect((await get({ extensions })).body).toEqual({ data: { __typename: 'Query' } });
  });

  it.each(['{ __typename }', `${IN_APOLLO} `, '{ __schema { queryType { name } } }', '{ nothing', ''])(
    'refuses %j with 403 and QUERY_NOT_IN_SAFELIST',
    async (query) => {
      const refused = { status: 403, code: 'QUERY_NOT_IN_SAFELIST' };
      expect(codeWithStatus(await post({ query }))).toEqual(refused);
      expect(codeWithStatus(await get({ query }))).toEqual(refused);
    },
  );

  it('refuses a document that a client sends with its right hash', async () => {
    const query = '{ __typename }';
    const extensions = persisted(hashOf(query));
    expect(codeWithStatus(await post({ query, extensions }))).toEqual({ status: 403, code: 'QUERY_NOT_IN_SAFELIST' });
    const unknown = { status: 404, code: 'PERSISTED_QUERY_NOT_IN_LIST' };
    expect(codeWithStatus(await post({ extensions }))).toEqual(unknown);
    expect(codeWithStatus(await get({ extensions: JSON.stringify(extensions) }))).toEqual(unknown);
  });

  it('does the same on websockets', async () => {
    const socket = await TestSocket.open(token, url);
    socket.subscribe('1', '{ __typename }');
    socket.subscribe('2', BY_HASH);
    socket.send({ id: '3', type: 'subscribe', payload: { extensions: persisted('name-1') } });
    socket.send({ id: '4', type: 'subscribe', payload: { extensions: persisted('other') } });
    expect(codeOf({ errors: await socket.failure('1') })).toBe('QUERY_NOT_IN_SAFELIST');
    expect(await socket.result('2', 1)).toHaveProperty('data.me.id');
    expect(await socket.result('3', 1)).toEqual({ data: { __typename: 'Query' } });
    expect(codeOf({ errors: await socket.failure('4') })).toBe('PERSISTED_QUERY_NOT_IN_LIST');
    socket.close();
  });

  it('does the same for server-sent events', async () => {
    const stream = (query: string) =>
      call('POST /graphql', { url, token, body: { query }, headers: { accept: 'text/event-stream' } });
    const refused = await stream('subscription { creditBalanceChanged { balance } }');
    expect(codeWithStatus(refused)).toEqual({ status: 403, code: 'QUERY_NOT_IN_SAFELIST' });
    expect((await stream(BY_HASH)).text).toContain('event: next');
  });

  it('does the same for answers in parts', async () => {
    const accept = 'multipart/mixed;deferSpec=20220824, application/json';
    const ask = (body: object) => call('POST /graphql', { url, token, body, headers: { accept } });
    for (const body of [{ query: DEFERRED }, { extensions: persisted('later-1') }]) {
      const { text } = await ask(body);
      expect(text).toContain('{"data":{"__typename":"Query"},"hasNext":true}');
      expect(text).toMatch(/"incremental":\[\{"data":\{"me":\{"id":\d+\}\},"path":\[\],"label":"rest"\}\]/);
    }
    const refused = await ask({ query: `${DEFERRED} ` });
    expect(codeWithStatus(refused)).toEqual({ status: 403, code: 'QUERY_NOT_IN_SAFELIST' });
  });

  it('serves REST as always', async () => {
    expect((await call('GET /api/billing/substrate-address/', { url, token })).status).toBe(200);
  });

  it('executes the documents of the dashboard, as its client sends them', async () => {
    const client = new Client({
      url: `${url}/graphql`,
      preferGetMethod: false,
      exchanges: [cacheExchange, fetchExchange],
      fetchOptions: { headers: { authorization: `Token ${token}` } },
    });
    const { data, error } = await client.query(initGraphQLTada()(ME), {}).toPromise();
    expect({ data, error }).toEqual({
      data: { me: expect.objectContaining({ id: expect.anything() }) },
      error: undefined,
    });
  });

  it('executes the documents of the command line', async () => {
    const home = { ARCHIPELAGO_HOME: join(folder, 'home'), ARCHIPELAGO_URL: url, ARCHIPELAGO_TOKEN: token };
    const { code, stdout } = await runToEnd(['bundle/cli.js', '--json', 'vm', 'list'], home);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('[') });
  });

  it('does not start with a document that the schema does not know', async () => {
    const manifest = join(folder, 'unknown.json');
    await writeFile(manifest, JSON.stringify({ 'unknown-1': '{ nothing }' }));
    const env = { TRUSTED_DOCUMENTS: manifest, DATABASE_URL: await newDatabase(), DATA_DIR: folder, PORT: '0' };
    const { code, stderr } = await runToEnd(['bundle/platform.js'], { ...env, LOG_LEVEL: 'silent' });
    const line =
      'TRUSTED_DOCUMENTS gives "unknown-1", which is invalid: Cannot query field "nothing" on type "Query".\n';
    expect({ code, stderr }).toEqual({ code: 1, stderr: line });
  });
});
