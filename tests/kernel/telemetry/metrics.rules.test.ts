import { describe, expect, it } from '@jest/globals';
import { forbidden } from '../../../kernel/errors.js';
import { measure, Metrics } from '../../../kernel/telemetry/metrics.js';

const lines = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('# HELP'));

describe('the text of metrics', () => {
  it('has counters by label, and escapes what would end a label', async () => {
    const metrics = new Metrics();
    const counter = metrics.counter('calls_total', 'Calls.', ['of', 'code']);
    counter.add(['a"b\\c\nd', 'OK']);
    counter.add(['a"b\\c\nd', 'OK'], 2);
    expect(lines(await metrics.text('prometheus'))).toEqual([
      '# TYPE calls_total counter',
      'calls_total{of="a\\"b\\\\c\\nd",code="OK"} 3',
    ]);
  });

  it('names the family of a counter without _total in OpenMetrics, in every scrape', async () => {
    const metrics = new Metrics();
    metrics.counter('calls_total', 'Calls.', []).add([]);
    const first = await metrics.text('openmetrics');
    expect(lines(first)).toEqual(['# TYPE calls counter', 'calls_total 1', '# EOF']);
    expect(lines(await metrics.text('prometheus'))).toEqual(['# TYPE calls_total counter', 'calls_total 1']);
    expect(await metrics.text('openmetrics')).toBe(first);
  });

  it('has cumulative buckets, with an exemplar where a trace was recorded, in OpenMetrics only', async () => {
    const metrics = new Metrics();
    const seconds = metrics.histogram('work_seconds', 'Work.', ['of'], [0.5, 1]);
    seconds.observe(['a'], 0.25);
    seconds.observe(['a'], 0.5, '4bf92f3577b34da6a3ce929d0e0e4736');
    seconds.observe(['a'], 7);
    expect(lines(await metrics.text('prometheus'))).toEqual([
      '# TYPE work_seconds histogram',
      'work_seconds_bucket{of="a",le="0.5"} 2',
      'work_seconds_bucket{of="a",le="1"} 2',
      'work_seconds_bucket{of="a",le="+Inf"} 3',
      'work_seconds_sum{of="a"} 7.75',
      'work_seconds_count{of="a"} 3',
    ]);
    const [, first, second] = lines(await metrics.text('openmetrics'));
    expect(first).toMatch(
      /^work_seconds_bucket\{of="a",le="0\.5"\} 2 # \{trace_id="4bf92f3577b34da6a3ce929d0e0e4736"\} 0\.5 \d+(\.\d+)?$/,
    );
    expect(second).toBe('work_seconds_bucket{of="a",le="1.0"} 2');
  });

  it('sums what is added to a gauge and what its sources read now', async () => {
    const metrics = new Metrics();
    const gauge = metrics.gauge('open', 'Open.', ['of']);
    gauge.add(['a'], 2);
    gauge.add(['a'], -1);
    let value = 10;
    const stop = metrics.observe(async () => [
      { gauge, labels: ['a'], value },
      { gauge, labels: ['b'], value },
    ]);
    expect(lines(await metrics.text('prometheus'))).toEqual([
      '# TYPE open gauge',
      'open{of="a"} 11',
      'open{of="b"} 10',
    ]);
    value = 3;
    expect(lines(await metrics.text('prometheus')).slice(1)).toEqual(['open{of="a"} 4', 'open{of="b"} 3']);
    stop();
    expect(lines(await metrics.text('prometheus')).slice(1)).toEqual(['open{of="a"} 1']);
  });

  it('is there without the values of a source that fails', async () => {
    const metrics = new Metrics();
    metrics.gauge('open', 'Open.', []).add([], 1);
    metrics.observe(() => Promise.reject(new Error('the database is down')));
    metrics.observe(() => {
      throw new Error('and this one at once');
    });
    expect(lines(await metrics.text('prometheus'))).toEqual(['# TYPE open gauge', 'open 1']);
  });

  it('refuses a second metric of the same name', () => {
    const metrics = new Metrics();
    metrics.gauge('open', 'Open.', []);
    expect(() => metrics.counter('open', 'Open.', [])).toThrow('there are two metrics open');
  });
});

describe('measured work', () => {
  it('counts by the code of its error, and passes on results and errors', async () => {
    const metrics = new Metrics();
    const seconds = metrics.histogram('work_seconds', 'Work.', ['code'], []);
    await expect(measure(seconds, [], async () => 1)).resolves.toBe(1);
    await expect(
      measure(
        seconds,
        [],
        async () => 'refused',
        () => 'CONFLICT',
      ),
    ).resolves.toBe('refused');
    await expect(measure(seconds, [], () => Promise.reject(forbidden('no')))).rejects.toThrow('no');
    await expect(measure(seconds, [], () => Promise.reject(new Error('secret')))).rejects.toThrow('secret');
    const counts = lines(await metrics.text('prometheus')).filter((line) => line.includes('_count'));
    expect(counts.map((line) => line.replace('work_seconds_count', ''))).toEqual([
      '{code="OK"} 1',
      '{code="CONFLICT"} 1',
      '{code="FORBIDDEN"} 1',
      '{code="INTERNAL"} 1',
    ]);
  });
});
