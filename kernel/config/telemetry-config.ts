import { ConfigError, HTTP, read, type Environment } from './environment.js';

/** Where OTLP/HTTP takes traces, below the address of a collector. Source: OTLP specification, OTLP/HTTP Request */
const TRACES_PATH = '/v1/traces';

/** Reads where traces are sent; undefined: nowhere. Source: operating contract, Environment. @throws ConfigError */
export function readTelemetry(env: Environment): string | undefined {
  const value = read(env, 'TELEMETRY');
  if (value === undefined || value === 'off') return undefined;
  // What is no URL may be a key that was put into the wrong variable: it is not repeated.
  if (!URL.canParse(value) || !HTTP.includes(new URL(value).protocol))
    throw new ConfigError('TELEMETRY must be off or the URL of an OTLP collector, such as http://collector:4318.');
  const { origin, pathname, username, password, search, hash } = new URL(value);
  if (username !== '' || password !== '')
    throw new ConfigError(
      'TELEMETRY holds no password: what a collector asks for goes into OTEL_EXPORTER_OTLP_HEADERS.',
    );
  if (search !== '' || hash !== '')
    throw new ConfigError('TELEMETRY takes an address and a path, nothing behind them.');
  const path = pathname.replace(/\/+$/, '');
  return origin + (path.endsWith(TRACES_PATH) ? path : path + TRACES_PATH);
}
