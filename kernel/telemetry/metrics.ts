import { errorCode } from '../errors.js';

/** The values of the labels of one series, in the order of the label names. They must come from a small, fixed set. */
export type Labels = readonly string[];

/** The value of a gauge. */
export interface Sample {
  readonly gauge: Gauge;
  readonly labels: Labels;
  readonly value: number;
}

/** Reads gauges when the metrics are read. */
export type GaugeSource = () => readonly Sample[] | Promise<readonly Sample[]>;

/** How `Metrics.text` writes: the text format of Prometheus 0.0.4, or OpenMetrics 1.0, which has exemplars. */
export type MetricsFormat = 'prometheus' | 'openmetrics';

interface Definition {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

/** Separates label values in keys; no label value contains it. */
const SEPARATOR = '\0';

interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly definition: Definition;
  lines(format: MetricsFormat): string[];
}

/** A number that only grows. Its name ends with `_total`. */
export class Counter implements Metric {
  readonly type = 'counter';
  private readonly values = new Map<string, number>();

  constructor(readonly definition: Definition) {}

  add(labels: Labels, count = 1): void {
    increase(this.values, labels, count);
  }

  lines(): string[] {
    return [...this.values].map(([key, value]) => line(this.definition, key, value));
  }
}

/** A number that goes up and down: the sum of what is added and of what sources read. */
export class Gauge implements Metric {
  readonly type = 'gauge';
  private readonly added = new Map<string, number>();
  private values = new Map<string, number>();

  constructor(readonly definition: Definition) {}

  add(labels: Labels, difference: number): void {
    increase(this.added, labels, difference);
  }

  /** Replaces what sources have read before. */
  read(samples: readonly Sample[]): void {
    this.values = new Map(this.added);
    for (const { labels, value } of samples) increase(this.values, labels, value);
  }

  lines(): string[] {
    return [...this.values].map(([key, value]) => line(this.definition, key, value));
  }
}

/** A measured value that a trace explains. */
interface Exemplar {
  readonly traceId: string;
  readonly value: number;
  readonly atMs: number;
}

interface HistogramSeries {
  /** Per bucket, not cumulative; the last one has no upper bound. */
  readonly counts: Float64Array;
  readonly exemplars: (Exemplar | undefined)[];
  sum: number;
}

/** Counts values by size. */
export class Histogram implements Metric {
  readonly type = 'histogram';
  private readonly series = new Map<string, HistogramSeries>();

  constructor(
    readonly definition: Definition,
    /** The upper bounds of the buckets, ascending, without infinity. */
    private readonly bounds: readonly number[],
  ) {}

  /** @param traceId of a recorded trace that explains the value */
  observe(labels: Labels, value: number, traceId?: string): void {
    const key = labels.join(SEPARATOR);
    let series = this.series.get(key);
    if (!series) this.series.set(key, (series = this.empty()));
    let bucket = 0;
    while (value > (this.bounds[bucket] ?? Infinity)) bucket++;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += value;
    if (traceId !== undefined) series.exemplars[bucket] = { traceId, value, atMs: Date.now() };
  }

  lines(format: MetricsFormat): string[] {
    return [...this.series].flatMap(([key, series]) => this.seriesLines(key, series, format));
  }

  private empty(): HistogramSeries {
    return { counts: new Float64Array(this.bounds.length + 1), exemplars: [], sum: 0 };
  }

  private seriesLines(key: string, { counts, exemplars, sum }: HistogramSeries, format: MetricsFormat): string[] {
    let count = 0;
    const buckets = [...counts].map((inBucket, index) => {
      count += inBucket;
      const le = boundText(this.bounds[index] ?? Infinity, format);
      const exemplar = format === 'openmetrics' ? exemplarText(exemplars[index]) : '';
      return `${line(this.definition, key, count, { suffix: '_bucket', le })}${exemplar}`;
    });
    return [
      ...buckets,
      line(this.definition, key, sum, { suffix: '_sum' }),
      line(this.definition, key, count, { suffix: '_count' }),
    ];
  }
}

/** Metrics, and the sources of their gauges. */
export class Metrics {
  private readonly metrics = new Map<string, Metric>();
  private readonly sources = new Set<GaugeSource>();

  counter(name: string, help: string, labelNames: readonly string[]): Counter {
    return this.add(new Counter({ name, help, labelNames }));
  }

  gauge(name: string, help: string, labelNames: readonly string[]): Gauge {
    return this.add(new Gauge({ name, help, labelNames }));
  }

  /** @param bounds the upper bounds of the buckets, ascending */
  histogram(name: string, help: string, labelNames: readonly string[], bounds: readonly number[]): Histogram {
    return this.add(new Histogram({ name, help, labelNames }, bounds));
  }

  /** Adds a source of gauges. Returns a function that removes it. */
  observe(source: GaugeSource): () => void {
    this.sources.add(source);
    return () => void this.sources.delete(source);
  }

  /** Reads all gauges and writes all metrics. A source that fails has no values. */
  async text(format: MetricsFormat): Promise<string> {
    const read = await Promise.allSettled([...this.sources].map(async (source) => source()));
    const metrics = [...this.metrics.values()];
    const samples = read.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    for (const metric of metrics)
      if (metric instanceof Gauge) metric.read(samples.filter(({ gauge }) => gauge === metric));
    const lines = metrics.flatMap((metric) => [...headLines(metric, format), ...metric.lines(format)]);
    return `${lines.join('\n')}\n${format === 'openmetrics' ? '# EOF\n' : ''}`;
  }

  private add<Added extends Metric>(metric: Added): Added {
    const { name } = metric.definition;
    if (this.metrics.has(name)) throw new Error(`there are two metrics ${name}`);
    this.metrics.set(name, metric);
    return metric;
  }
}

/** The metrics of this process. */
export const METRICS = new Metrics();

/** Measures work. The last label is `OK`, or the code of its error. */
export async function measure<Result>(
  histogram: Histogram,
  labels: Labels,
  work: () => Promise<Result>,
  codeIn: (result: Result) => string | undefined = () => undefined,
): Promise<Result> {
  const startedAt = performance.now();
  const observe = (code: string) => histogram.observe([...labels, code], (performance.now() - startedAt) / 1000);
  try {
    const result = await work();
    observe(codeIn(result) ?? 'OK');
    return result;
  } catch (error) {
    observe(errorCode(error) ?? 'INTERNAL');
    throw error;
  }
}

function increase(values: Map<string, number>, labels: Labels, difference: number): void {
  const key = labels.join(SEPARATOR);
  values.set(key, (values.get(key) ?? 0) + difference);
}

function headLines({ type, definition: { name, help } }: Metric, format: MetricsFormat): string[] {
  const family = format === 'openmetrics' && type === 'counter' ? name.replace(/_total$/, '') : name;
  return [`# HELP ${family} ${help}`, `# TYPE ${family} ${type}`];
}

function line(
  { name, labelNames }: Definition,
  key: string,
  value: number,
  { suffix = '', le }: { readonly suffix?: string; readonly le?: string } = {},
): string {
  const values = labelNames.length > 0 ? key.split(SEPARATOR) : [];
  const pairs = values.map((text, index) => `${labelNames[index]}="${escaped(text)}"`);
  if (le !== undefined) pairs.push(`le="${le}"`);
  return `${name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
}

/** OpenMetrics writes bounds as floats: `1.0`. */
function boundText(bound: number, format: MetricsFormat): string {
  if (bound === Infinity) return '+Inf';
  return format === 'openmetrics' && Number.isInteger(bound) ? `${bound}.0` : `${bound}`;
}

function exemplarText(exemplar: Exemplar | undefined): string {
  return exemplar ? ` # {trace_id="${exemplar.traceId}"} ${exemplar.value} ${exemplar.atMs / 1000}` : '';
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
