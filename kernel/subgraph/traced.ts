import type { ByteAnswer } from '../http/bytes.js';
import type { Database } from '../database/database.js';
import { errorCode } from '../errors.js';
import type { JobDefinition } from '../jobs/jobs.js';
import type { ByteRequest, SubgraphRequest, SubgraphResult, SubgraphClient } from './subgraph-client.js';
import type { Attributes, SpanStart, Trace } from '../telemetry/trace.js';

/** How a subgraph is reached: here, over HTTP, or by who asks it from elsewhere. */
type Reach = 'here' | 'elsewhere' | 'asked';

interface Way {
  readonly name: string;
  readonly reach: Reach;
}

const KIND_OF = { here: undefined, elsewhere: 'client', asked: 'server' } as const satisfies Record<Reach, unknown>;

/** The source whose operations are spans, where there is somebody to tell of them. */
export function traced(source: SubgraphClient, way: Way, trace: Trace | undefined): SubgraphClient {
  return trace ? new TracedSubgraphClient(source, { ...way, trace }) : source;
}

/** A source whose operations are spans, and which tells the next process below which. */
class TracedSubgraphClient implements SubgraphClient {
  readonly dependency: string;

  constructor(
    private readonly source: SubgraphClient,
    private readonly way: Way & { readonly trace: Trace },
  ) {
    this.dependency = source.dependency;
  }

  execute(request: SubgraphRequest): Promise<SubgraphResult> {
    return this.way.trace.within(
      this.startOf(request, operationIn(request)),
      () => this.source.execute(this.passedOn(request)),
      ({ errors }) => errors?.[0] && (errorCode(errors[0]) ?? 'INTERNAL'),
    );
  }

  /** The time until there is something to read; how long that takes is the reader's. */
  open(request: ByteRequest): Promise<ByteAnswer> {
    const start = this.startOf(request, { 'archipelago.bytes': request.name });
    return this.way.trace.within(start, () => this.source.open(this.passedOn(request)));
  }

  /** Lasts as long as somebody listens: no span does. */
  subscribe(request: SubgraphRequest, signal: AbortSignal): Promise<AsyncIterable<SubgraphResult>> {
    return this.source.subscribe(request, signal);
  }

  check(): Promise<readonly string[]> {
    return this.source.check();
  }

  close(): Promise<void> {
    return this.source.close();
  }

  /** The request with the span that runs, where there is another process to be told. */
  private passedOn<Request extends SubgraphRequest | ByteRequest>(request: Request): Request {
    const { reach, trace } = this.way;
    return reach === 'elsewhere' ? { ...request, traceparent: trace.traceparent() } : request;
  }

  private startOf({ viewer, traceparent }: SubgraphRequest | ByteRequest, told: Attributes): SpanStart {
    const { name, reach } = this.way;
    const caller = viewer.kind === 'platform' ? viewer.subgraph : undefined;
    const verb = reach === 'asked' ? 'serve' : caller === undefined ? 'fetch' : 'ask';
    return {
      name: `${verb} ${name}`,
      kind: KIND_OF[reach],
      attributes: { 'archipelago.subgraph': name, ...(caller && { 'archipelago.asker': caller }), ...told },
      traceparent,
      ...(reach === 'asked' && { isEntry: true }),
    };
  }
}

/** What the platform itself asks has names of ours; those of the rest may hold what a caller wrote. */
function operationIn({ query, viewer }: SubgraphRequest): Attributes {
  const [, type = 'query', name] = /^\s*(query|mutation)?\b\s*(\w+)?/.exec(query) ?? [];
  const isOurs = viewer.kind === 'platform' && name !== undefined;
  return { 'graphql.operation.type': type, ...(isOurs && { 'graphql.operation.name': name }) };
}

/** A database whose statements are spans by their names, and its transactions, without what is bound or written. */
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
    change: (work) => trace.within(change, () => database.change(work)),
    snapshot: (read) => trace.within(snapshot, () => database.snapshot(read)),
    check: () => database.check(),
    close: () => database.close(),
  };
}

/** Jobs that are spans by their names, each a trace of its own: what queued them may be days ago. */
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
        const tell = (outcome: string) => trace.running()?.describe({ 'archipelago.job.outcome': outcome });
        tell('failed');
        await job.work(data, runtime);
        tell('done');
      });
    return { ...job, work };
  });
}
