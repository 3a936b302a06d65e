import { isUrlOf, HTTP, listOf, text, withoutSlash } from './environment.js';

/** The path for traces at a collector. Source: OTLP specification, OTLP/HTTP Request */
const TRACES_PATH = '/v1/traces';

/** Parses the headers for a collector, such as `api-key=secret`; values are percent-encoded. Source: OpenTelemetry, Protocol Exporter */
export const traceHeaders = listOf(
  text.refine(isHeader, 'must be names and values, as api-key=secret,name=value.'),
).transform((items) => Object.fromEntries(items.map(headerOf)));

function isHeader(item: string): boolean {
  try {
    return /^[\w-]+$/.test(headerOf(item)[0]) && item.includes('=');
  } catch {
    return false;
  }
}

function headerOf(item: string): [string, string] {
  const [name = '', value = ''] = item.split(/=(.*)/s);
  return [name.trim(), decodeURIComponent(value.trim())];
}

/** Parses `off` (undefined: no tracing) or the address of a collector into the URL for traces. */
export const tracesUrl = text
  // An invalid value may be a key in the wrong variable, so no message repeats it.
  .refine((value) => value === 'off' || isUrlOf(HTTP, value), {
    error: 'must be off or the URL of an OTLP collector, such as http://collector:4318.',
  })
  .transform((value) => (value === 'off' ? undefined : new URL(value)))
  .refine((url) => !url?.username && !url?.password, {
    error: 'must not contain a password: set the credentials of a collector in OTEL_EXPORTER_OTLP_HEADERS.',
  })
  .refine((url) => !url?.search && !url?.hash, 'must have no query and no fragment.')
  .transform((url) => url && url.origin + withoutSlash(url.pathname).replace(/(?:\/v1\/traces)?$/, TRACES_PATH));
