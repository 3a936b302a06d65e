import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { SUBGRAPHS } from '../../kit/arrangements.js';
import { metricsText, valueOf } from '../../kit/telemetry/metrics.js';
import { configurationOf, enrolledMachine } from '../../kit/network/network.js';
import { call, codeOf, graphql, platform } from '../../kit/platform.js';
import { TestSocket } from '../../kit/socket.js';
import { TestUpload } from '../../kit/files/upload.js';
import { signIn, signInWithNetwork } from '../../kit/accounts/wallet.js';
import { until } from '../../kit/watch.js';

/** Waits until the series grow by at least so much while the work is done. */
async function growth(
  series: string,
  { of, by = 1 }: { readonly of?: string; readonly by?: number },
  work: () => Promise<unknown>,
): Promise<void> {
  const before = valueOf(await metricsText(of), series) ?? 0;
  await work();
  // A request is measured when its client has the answer.
  await until(async () => (valueOf(await metricsText(of), series) ?? 0) >= before + by);
}

describe('requests are counted', () => {
  it('by route, method and status', () =>
    growth('http_request_seconds_count{method="GET",route="/api/billing/credits/balance', {}, async () => {
      const { token } = await signIn();
      await call('GET /api/billing/credits/balance/', { token });
    }));

  it('by GraphQL operation and error code', () =>
    growth('graphql_operations_total{type="query",operation="creditBalances",code="FORBIDDEN"}', {}, async () => {
      const { token } = await signIn();
      expect(codeOf(await graphql('{ creditBalances { count } }', { token }))).toBe('FORBIDDEN');
    }));

  it('with their time, by GraphQL operation', () =>
    growth('graphql_operation_seconds_count{type="query",operation="creditBalance"}', {}, async () => {
      const { token } = await signIn();
      await graphql('{ creditBalance { balance } }', { token });
    }));

  it('by subgraph, kind and error code', () =>
    growth('subgraph_request_seconds_count{subgraph="network",kind="mutation",code="UNAUTHENTICATED"}', {}, () =>
      graphql('mutation { createGroup(label: "a") { id } }'),
    ));

  it('by whether they were planned before', async () => {
    const { token } = await signIn();
    const query = `query A${randomUUID().replaceAll('-', '')} { me { id } }`;
    await growth('plan_cache_lookups_total{result="miss"}', {}, () => graphql(query, { token }));
    await growth('plan_cache_lookups_total{result="hit"}', {}, () => graphql(query, { token }));
  });
});

describe('sockets', () => {
  it('and their subscriptions are counted while they are open', async () => {
    const { token } = await signInWithNetwork();
    const socket = await TestSocket.open(token);
    socket.subscribe('live', 'subscription { topologyChanged { revision } }');
    await socket.result('live', 1);
    const open = await metricsText();
    expect(valueOf(open, 'websocket_connections')).toBeGreaterThanOrEqual(1);
    expect(valueOf(open, 'websocket_operations{type="subscription"}')).toBeGreaterThanOrEqual(1);
    await growth('websocket_closed_total{code="1000"}', {}, async () => socket.close(1000));
  });
});

describe('the subgraphs', () => {
  it.each(SUBGRAPHS)('%s has connections to its database', async (of) => {
    const text = await metricsText(of);
    const connections = (state: string) => valueOf(text, `database_connections{subgraph="${of}",state="${state}"}`);
    expect(connections('in_use')).toBeGreaterThanOrEqual(0);
    // Idle connections are closed after a while.
    expect(connections('idle')).toBeGreaterThanOrEqual(0);
    expect(valueOf(text, `database_waiting{subgraph="${of}"}`)).toBeGreaterThanOrEqual(0);
    expect(valueOf(text, `database_wait_seconds_count{subgraph="${of}"}`)).toBeGreaterThanOrEqual(1);
    expect(valueOf(text, `database_limit_waiting{subgraph="${of}",kind="jobs"}`)).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['accounts', 'ledger-proof'],
    ['sync', 'record-storage-usage'],
  ])('%s counts the jobs that wait, and how long: %s', async (of, job) => {
    const series = (name: string) => `${name}{subgraph="${of}",job="${job}"}`;
    await until(async () => valueOf(await metricsText(of), series('jobs_waiting')) !== undefined);
    expect(valueOf(await metricsText(of), series('jobs_oldest_seconds'))).toBeGreaterThanOrEqual(0);
  });

  it.each(['accounts', 'network'])('%s times the runs of its jobs', (of) =>
    // Some run at every start.
    until(async () => valueOf(await metricsText(of), `job_run_seconds_count{subgraph="${of}"`) !== undefined),
  );

  it('time what they compile', async () => {
    const user = await signInWithNetwork();
    await growth('network_compile_seconds_count{thread="main",code="OK"}', { of: 'network' }, async () => {
      const { token } = await enrolledMachine(user);
      expect((await configurationOf(token)).status).toBe(200);
    });
  });

  it('time how long events take to come back', () =>
    growth('event_delivery_seconds_count{subgraph="network"}', { of: 'network' }, async () => {
      const { token } = await signInWithNetwork();
      await call('POST /api/network/groups/', { token, body: { label: `g${randomUUID()}` } });
    }));

  it('count uploads', async () => {
    const upload = await TestUpload.open({ user: await signIn() });
    await until(async () => (valueOf(await metricsText('sync'), 'upload_sessions ') ?? 0) >= 1);
    await growth('upload_chunk_bytes_total', { of: 'sync', by: 5000 }, () => upload.putAll());
    await growth('upload_finalize_seconds_count{code="OK"}', { of: 'sync' }, () => upload.finalize());
  });

  it('count machines in every state', async () => {
    await until(async () => valueOf(await metricsText('infrastructure'), 'machines{state="running"}') !== undefined);
    expect(valueOf(await metricsText('infrastructure'), 'machines{state="failed"}')).toBeGreaterThanOrEqual(0);
  });

  it('count open holds', async () => {
    await until(async () => valueOf(await metricsText('accounts'), 'ledger_open_holds') !== undefined);
    expect(valueOf(await metricsText('accounts'), 'ledger_hold_overdue_seconds')).toBeGreaterThanOrEqual(0);
  });

  it('show their metrics to those who have the secret only', async () => {
    for (const url of Object.values(platform().subgraphUrls)) {
      const { status, text } = await call('GET /metrics', { url });
      expect([status, text]).toEqual([401, expect.not.stringContaining('process_')]);
    }
  });
});

describe('the process', () => {
  it.each([
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'process_open_fds',
    'nodejs_heap_size_used_bytes',
    'nodejs_eventloop_lag_p99_seconds',
    'nodejs_gc_duration_seconds_count',
  ])('is measured: %s', async (name) => {
    expect(valueOf(await metricsText(), name)).toBeGreaterThanOrEqual(0);
  });
});
