import { badRequest, unavailable } from '../errors.js';
import { unstorable } from '../scalars/text.js';

/** Messages for PostgreSQL error codes that mean invalid input which the rules did not catch. */
const INVALID_INPUT: Readonly<Record<string, string>> = {
  '22021': unstorable('A text'),
  '22003': 'A number is out of range.',
};

/** Messages of `pg` when no connection or no answer came in time. */
const CLIENT_TIMEOUTS: ReadonlySet<string> = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'Query read timeout',
]);

/** Transient errors: lock timeout, statement timeout, deadlock, too many connections. Source: PostgreSQL, Error Codes */
const TRANSIENT_CODES: ReadonlySet<string> = new Set(['55P03', '57014', '40P01', '53300']);

/** Maps PostgreSQL errors to public errors: transient errors (retry later) and invalid input. Other errors are thrown unchanged. */
export function throwPublicError(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (TRANSIENT_CODES.has(code) || (error instanceof Error && CLIENT_TIMEOUTS.has(error.message)))
    throw unavailable('The platform is overloaded: try again a little later.', { retryAfter: 1 });
  const message = INVALID_INPUT[code];
  throw message === undefined ? error : badRequest(message);
}

/** Returns the name of the violated constraint; undefined for other errors. */
export function violatedConstraint(error: unknown): string | undefined {
  const named = error instanceof Error && 'constraint' in error ? error.constraint : undefined;
  return typeof named === 'string' ? named : undefined;
}
