import type { ByteAnswer } from '../http/bytes.js';
import type { Database } from '../database/database.js';
import { errorCode } from '../errors.js';
import type { JobDefinition } from '../jobs/jobs.js';
import type { ByteRequest, SubgraphClient, SubgraphEvent, SubgraphRequest, SubgraphResult } from './subgraph-client.js';
import type { Attributes, SpanStart, Trace } from '../telemetry/trace.js';

/** Where the span is: a call in this process, a call over HTTP, or a request from another process. */
type Reach = 'local' | 'remote' | 'incoming';

interface Target {
  readonly name: string;
  readonly reach: Reach;
}

const KIND_OF = { local: undefined, remote: 'client', incoming: 'server' } as const satisfies Record<Reach, unknown>;

/** Wraps a client so that its operations are spans; returns it unchanged without tracing. */
export function traced(client: SubgraphClient, target: Target, trace: Trace | undefined): SubgraphClient {
  return trace ? new TracedSubgraphClient(client, { ...target, trace }) : client;
}

/** Records operations as spans and passes the parent span to the next process. */
class TracedSubgraphClient implements SubgraphClient {
  readonly dependency: string;

  constructor(
    private readonly client: SubgraphClient,
    private readonly target: Target & { readonly trace: Trace },
  ) {
    this.dependency = client.dependency;
  }

  execute(request: SubgraphRequest): Promise<SubgraphResult> {
    return this.target.trace.within(
      this.startOf(request, operationIn(request)),
      () => this.client.execute(this.withTraceparent(request)),
      ({ errors }) => errors?.[0] && (errorCode(errors[0]) ?? 'INTERNAL'),
    );
  }

  /** The span ends when the stream opens; the rest depends on the reader. */
  open(request: ByteRequest): Promise<ByteAnswer> {
    const start = this.startOf(request, { 'archipelago.bytes': request.name });
    return this.target.trace.within(start, () => this.client.open(this.withTraceparent(request)));
  }

  /** Has no span, because its duration depends on the client. */
  subscribe(request: SubgraphRequest, signal: AbortSignal): Promise<AsyncIterable<SubgraphEvent>> {
    return this.client.subscribe(request, signal);
  }

  check(): Promise<readonly string[]> {
    return this.client.check();
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** Adds the current span to a request to another process. */
  private withTraceparent<Request extends SubgraphRequest | ByteRequest>(request: Request): Request {
    const { reach, trace } = this.target;
    return reach === 'remote' ? { ...request, traceparent: trace.traceparent() } : request;
  }

  private startOf({ viewer, traceparent }: SubgraphRequest | ByteRequest, extra: Attributes): SpanStart {
    const { name, reach } = this.target;
    const caller = viewer.kind === 'platform' ? viewer.subgraph : undefined;
    const verb = reach === 'incoming' ? 'serve' : caller === undefined ? 'fetch' : 'call';
    return {
      name: `${verb} ${name}`,
      kind: KIND_OF[reach],
      attributes: { 'archipelago.subgraph': name, ...(caller && { 'archipelago.caller': caller }), ...extra },
      traceparent,
      ...(reach === 'incoming' && { isEntry: true }),
    };
  }
}

/** Adds the operation name only for calls of the platform; other names may contain client input. */
function operationIn({ query, viewer }: SubgraphRequest): Attributes {
  const [, type = 'query', name] = /^\s*(query|mutation)?\b\s*(\w+)?/.exec(query) ?? [];
  const isOurs = viewer.kind === 'platform' && name !== undefined;
  return { 'graphql.operation.type': type, ...(isOurs && { 'graphql.operation.name': name }) };
}

/** Wraps a database so that named statements and transactions are spans, without values and texts. */
export function tracedDatabase(database: Database, schema: string, trace: Trace | undefined): Database {
  if (!trace) return database;
  const spanOf = (name: string): SpanStart => ({
    name,
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.namespace': schema, 'db.query.summary': name },
  });
  const [change, snapshot] = [spanOf(`change ${schema}`), spanOf(`snapshot ${schema}`)];
  return {
    run: (query, values) => trace.within(spanOf(query.name), () => database.run(query, values)),
    rows: (statement, values) => trace.within(spanOf(statement.name), () => database.rows(statement, values)),
    change: (work, owner) => trace.within(change, () => database.change(work, owner)),
    snapshot: (read) => trace.within(snapshot, () => database.snapshot(read)),
    check: () => database.check(),
    close: () => database.close(),
  };
}

/** Wraps jobs so that each run is a span in a trace of its own, because the job may have been enqueued days ago. */
export function tracedJobs<Runtime>(
  jobs: readonly JobDefinition<Runtime>[],
  subgraph: string,
  trace: Trace | undefined,
): readonly JobDefinition<Runtime>[] {
  if (!trace) return jobs;
  return jobs.map((job) => {
    const attributes = { 'archipelago.subgraph': subgraph, 'archipelago.job': job.name };
    const start = { name: `job ${job.name}`, kind: 'consumer', attributes, isEntry: true } as const;
    const work: typeof job.work = (data, runtime) =>
      trace.within(start, async () => {
        const setOutcome = (outcome: string) => trace.running()?.describe({ 'archipelago.job.outcome': outcome });
        setOutcome('failed');
        await job.work(data, runtime);
        setOutcome('done');
      });
    return { ...job, work };
  });
}
