import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { packageVersion } from '../../../kernel/package-root.js';
import { ADMIN_TOKEN, type Arrangement, type RunningPlatform } from '../../kit/arrangements.js';
import { callerSpan, Collector, outline, wholeTrace, type SentSpan } from '../../kit/telemetry/collector.js';
import { startOnDatabase, startOnDatabases } from '../../kit/database/own-database.js';
import { asAdmin, call, graphql } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { until } from '../../kit/watch.js';

const EMAIL = 'nobody.knows.me@example.org';
const SUBGRAPHS = ['accounts', 'infrastructure', 'network', 'sync'];

let collectors: Record<Arrangement, Collector>;
let platforms: Record<Arrangement, RunningPlatform>;
beforeAll(async () => {
  collectors = { 'in process': await Collector.open(), 'behind HTTP': await Collector.open() };
  const settings = (arrangement: Arrangement) => ({
    ...collectors[arrangement].settings,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=of%20the-tests',
  });
  platforms = {
    'in process': await startOnDatabase(settings('in process')),
    'behind HTTP': await startOnDatabases(settings('behind HTTP')),
  };
}, 240_000);
afterAll(async () => {
  for (const platform of Object.values(platforms)) await platform.stop();
  for (const collector of Object.values(collectors)) collector.close();
}, 60_000);

describe.each(['in process', 'behind HTTP'] as const)('%s', (arrangement) => {
  let collector: Collector;
  let url: string;
  let user: SignedIn;
  beforeAll(async () => {
    collector = collectors[arrangement];
    ({ url } = platforms[arrangement]);
    user = await signIn(undefined, url);
    await call('POST /api/network/provision/', { url, token: user.token });
  });

  const traceOf = (send: (headers: Record<string, string>) => Promise<unknown>) => wholeTrace(collector, send);
  const rest = (target: string, token?: string, body?: object) =>
    traceOf((headers) => call(target, { url, headers, ...(token !== undefined && { token }), ...(body && { body }) }));
  const root = (spans: readonly SentSpan[]) => spans.find(({ attributes }) => attributes['http.request.method']);

  it('the collector gets the headers of OTEL_EXPORTER_OTLP_HEADERS', async () => {
    await rest('GET /api/network/me/', user.token);
    expect([...collector.keys]).toEqual(['of the-tests']);
  });

  it('a REST call is one trace: the request, its subgraphs, their statements', async () => {
    const spans = await rest('GET /api/billing/credits/balance/', user.token);
    const below = (asked: string, statement: string) =>
      arrangement === 'in process'
        ? [`  ${asked} accounts`, `    ${statement}`]
        : [`  ${asked} accounts`, '    serve accounts', `      ${statement}`];
    // That the token is used is written down while nobody waits, at most once a minute.
    expect(outline(spans.filter(({ name }) => name !== 'token-use'))).toEqual([
      'GET /api/billing/credits/balance/',
      ...below('call', 'token-holders-by-hash'),
      ...below('fetch', 'balance-of-user'),
    ]);
  });

  it('a request is told by its route and status, in the words of the conventions', async () => {
    const span = root(await rest('DELETE /api/network/groups/918273/', user.token));
    expect(span).toMatchObject({
      name: expect.stringMatching(/^DELETE \/api\/network\/groups\/:\w+\/?$/),
      kind: 'server',
      attributes: { 'http.request.method': 'DELETE', 'http.response.status_code': 404, 'error.type': 'NOT_FOUND' },
      failure: 'NOT_FOUND',
    });
  });

  it('a refused call fails with our code, and so does what refused it', async () => {
    const spans = await rest('POST /api/network/groups/', user.token, { label: '' });
    expect(root(spans)).toMatchObject({ failure: 'BAD_REQUEST', attributes: { 'http.response.status_code': 400 } });
    expect(root(await rest('GET /api/network/groups/'))).toMatchObject({
      failure: 'UNAUTHENTICATED',
      attributes: { 'http.response.status_code': 401, 'http.route': expect.stringContaining('/api/network/groups') },
    });
    const posted = await traceOf((headers) => call('POST /graphql', { url, token: user.token, headers, body: GRANT }));
    expect(root(posted)).toMatchObject({ failure: 'FORBIDDEN', attributes: { 'http.response.status_code': 200 } });
    expect(posted.find(({ name }) => name === 'fetch accounts')?.failure).toBe('FORBIDDEN');
  });

  it('what nobody serves is told by its method alone', async () => {
    expect(root(await rest('GET /api/nothing/918273/'))).toMatchObject({ name: 'GET', failure: 'NOT_FOUND' });
  });

  it('an operation is told by its name, and each subgraph that it needs is a span', async () => {
    const query = 'query Overview { me { creditBalance { balance } folders { label } } }';
    const spans = await traceOf((headers) =>
      call('POST /graphql', { url, token: user.token, headers, body: { query } }),
    );
    expect(root(spans)).toMatchObject({
      name: 'query Overview',
      attributes: { 'graphql.operation.type': 'query', 'graphql.operation.name': 'Overview', 'http.route': '/graphql' },
      failure: undefined,
    });
    expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['fetch accounts', 'fetch sync']));
  });

  it('what one subgraph asks another is below what it was asked for itself', async () => {
    const machine = { name: 'gate', vm_instance: randomUUID() };
    const spans = await rest('POST /api/network/infra/enroll/', user.token, machine);
    const asked = spans.find(({ name }) => name === 'call infrastructure');
    expect(asked?.attributes).toMatchObject({
      'archipelago.caller': 'network',
      'graphql.operation.type': 'query',
      'graphql.operation.name': 'VmOfUser',
    });
    const [fetching] = outline(spans).filter((line) => line.endsWith('fetch network'));
    const [below] = outline(spans).filter((line) => line.endsWith('call infrastructure'));
    expect(below?.search(/\S/)).toBeGreaterThan(fetching?.search(/\S/) ?? Infinity);
  });

  it('a change is a span of its transaction, and statements are PostgreSQL’s', async () => {
    const spans = await rest('POST /api/network/groups/', user.token, { label: 'web' });
    expect(spans.find(({ name }) => name === 'change network')).toMatchObject({
      kind: 'client',
      attributes: { 'db.system.name': 'postgresql', 'db.namespace': 'network' },
    });
  });

  it('a job is a trace of its own, with its name and outcome', async () => {
    const jobs = () => collector.spans.filter(({ kind }) => kind === 'consumer');
    await until(async () => jobs().length > 0, 90_000);
    expect(jobs()[0]).toMatchObject({
      parentSpanId: undefined,
      name: expect.stringMatching(/^job [a-z-]+$/),
      attributes: { 'archipelago.job': expect.any(String), 'archipelago.job.outcome': 'done' },
    });
  });

  it('each process says which part of the platform it is', () => {
    const notified = new Map(
      collector.spans.map(({ resource }) => [String(resource['archipelago.subgraphs']), resource]),
    );
    const parts = arrangement === 'in process' ? [SUBGRAPHS.join(',')] : ['', ...SUBGRAPHS];
    expect([...notified.keys()].filter((part) => !parts.includes(part))).toEqual([]);
    for (const resource of notified.values())
      expect(resource).toMatchObject({ 'service.name': 'archipelago', 'service.version': packageVersion() });
  });

  it('a caller who does not want a trace has none, in no process', async () => {
    const { traceId, traceparent } = callerSpan(false);
    await call('GET /api/billing/credits/balance/', { url, token: user.token, headers: { traceparent } });
    await rest('GET /api/billing/credits/balance/', user.token);
    expect(collector.trace(traceId)).toEqual([]);
  });

  it.each(['nonsense', '00-00000000000000000000000000000000-0000000000000001-01', 'ff-'.repeat(2_000)])(
    'a traceparent that names no span begins a trace (%#)',
    async (traceparent) => {
      const count = () => collector.spans.filter(({ name }) => name === 'GET /health/live').length;
      const before = count();
      expect((await call('GET /health/live', { url, headers: { traceparent } })).status).toBe(200);
      await until(async () => count() > before);
    },
  );

  it('many requests at once have each its own spans only', async () => {
    const traces = await Promise.all(
      Array.from({ length: 12 }, () => rest('GET /api/billing/credits/balance/', user.token)),
    );
    for (const spans of traces) {
      expect(spans.filter(({ name }) => name === 'fetch accounts')).toHaveLength(1);
      expect(spans.filter(({ name }) => name === 'balance-of-user')).toHaveLength(1);
    }
  });

  it('nothing that a caller sent is in any of it', async () => {
    const secretLabel = 'a-label-that-nobody-else-has';
    await asAdmin(GRANT.query, { ss58: user.substrateAddress }, url);
    await rest('POST /api/network/groups/?search=a-word-looked-for', user.token, { label: secretLabel });
    await graphql('mutation ($email: String!) { setEmail(email: $email) }', {
      token: user.token,
      variables: { email: EMAIL },
      url,
    });
    await traceOf((headers) =>
      call('POST /graphql', {
        url,
        headers,
        token: user.token,
        body: { query: 'query Mine { me { username substrateAddress } }' },
      }),
    );
    const sent = collector.bodies.join('\n');
    const { token, wallet, substrateAddress } = user;
    const words = [
      token,
      ADMIN_TOKEN,
      wallet.address,
      substrateAddress,
      EMAIL,
      secretLabel,
      'a-word-looked-for',
      '918273',
      'creditBalance {',
      'welcome',
    ];
    expect(words.filter((word) => sent.toLowerCase().includes(word.toLowerCase()))).toEqual([]);
    expect([...collector.paths]).toEqual(['POST /v1/traces']);
  });
});

const GRANT = {
  query:
    'mutation Grant($ss58: String!) { adminGrantCredits(substrateAddress: $ss58, credits: 1, reason: "welcome") { balance } }',
  variables: { ss58: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY' },
};
