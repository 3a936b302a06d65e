import { afterEach, describe, expect, it } from '@jest/globals';
import type { RunningPlatform } from '../../kit/arrangements.js';
import { callerSpan, Collector } from '../../kit/telemetry/collector.js';
import { startOnDatabase } from '../../kit/database/own-database.js';
import { call } from '../../kit/platform.js';

/** Module hook that prints each loaded tracing module. Apollo Gateway loads other OpenTelemetry packages, for metrics. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    if (/opentelemetry.(?:sdk-trace|exporter-trace)|otlp-trace/.test(url)) process.stderr.write('loaded ' + url + '\\n');
    return next(url, context);
  } });
`)}`;

let collector: Collector;
let platform: RunningPlatform;
const loaded = () => (platform.processes[0]?.output() ?? '').split('\n').filter((line) => line.startsWith('loaded '));

async function start(telemetry: 'on' | 'off'): Promise<void> {
  collector = await Collector.open();
  platform = await startOnDatabase({
    NODE_OPTIONS: `--import=${WATCH}`,
    // Receives anything OpenTelemetry exports by default.
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_EXPORTER: 'otlp',
    TELEMETRY: telemetry === 'on' ? collector.url : 'off',
  });
}
afterEach(async () => {
  await platform.stop();
  collector.close();
});

describe('with TELEMETRY off', () => {
  it('loads no tracing modules and opens no connection', async () => {
    await start('off');
    const { traceparent } = callerSpan();
    expect((await call('GET /health', { url: platform.url, headers: { traceparent } })).status).toBe(200);
    await platform.processes[0]?.stop();
    expect({ loaded: loaded(), connections: collector.connections }).toEqual({ loaded: [], connections: 0 });
  });
});

describe('with TELEMETRY set', () => {
  it('loads tracing modules and exports spans', async () => {
    await start('on');
    await call('GET /health', { url: platform.url });
    await platform.processes[0]?.stop();
    expect(loaded()).not.toEqual([]);
    expect(collector.spans.map(({ name }) => name)).toContain('GET /health');
  });
});
