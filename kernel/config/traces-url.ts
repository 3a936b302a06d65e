import { isUrlOf, HTTP, text, withoutSlash } from './environment.js';

/** Where OTLP/HTTP takes traces, below the address of a collector. Source: OTLP specification, OTLP/HTTP Request */
const TRACES_PATH = '/v1/traces';

/** `off`, or the address of a collector, of which the URL for traces is made; undefined: traces are not sent. Source: operating contract, Environment */
export const tracesUrl = text
  // A value that is no URL may be a key in the wrong variable: no message repeats it.
  .refine((value) => value === 'off' || isUrlOf(HTTP, value), {
    error: 'must be off or the URL of an OTLP collector, such as http://collector:4318.',
  })
  .transform((value) => (value === 'off' ? undefined : new URL(value)))
  .refine((url) => !url?.username && !url?.password, {
    error: 'holds no password: credentials of a collector go into OTEL_EXPORTER_OTLP_HEADERS.',
  })
  .refine((url) => !url?.search && !url?.hash, 'takes an address and a path, nothing behind them.')
  .transform((url) => url && url.origin + withoutSlash(url.pathname).replace(/(?:\/v1\/traces)?$/, TRACES_PATH));
