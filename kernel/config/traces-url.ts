import { isUrlOf, HTTP, text, withoutSlash } from './environment.js';

/** The path for traces at a collector. Source: OTLP specification, OTLP/HTTP Request */
const TRACES_PATH = '/v1/traces';

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
