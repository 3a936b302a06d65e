import { badRequest, unavailable } from '../errors.js';
import { unstorable } from '../scalars/text.js';

/** Messages for PostgreSQL error codes that mean invalid input which the rules did not catch. */
const INVALID_INPUT: Readonly<Record<string, string>> = {
  '22021': unstorable('A text'),
  '22003': 'A number is out of range.',
};

/** Messages of `pg` when there was no connection or no answer in time, and when the connection broke. */
const CLIENT_ERRORS: ReadonlySet<string> = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'Query read timeout',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
]);

/**
 * Transient errors: lock timeout, statement timeout, deadlock; too many connections; a connection that was
 * idle for too long, in a transaction or outside; a server that is shut down, crashed, starts, or cannot be reached; a standby that
 * is not promoted yet, or cancels a read to continue its replay. Source: PostgreSQL, Error Codes
 */
const TRANSIENT_CODES: ReadonlySet<string> = new Set(
  (
    '55P03 57014 40P01 40001 53300 25P03 57P05 57P01 57P02 57P03 25006 ' +
    'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL ENOTFOUND EAI_AGAIN'
  ).split(' '),
);

/** Maps PostgreSQL errors to public errors: transient errors (retry later) and invalid input. Other errors are thrown unchanged. */
export function throwPublicError(error: unknown): never {
  const code = textOf(error, 'code');
  if (TRANSIENT_CODES.has(code) || code.startsWith('08') || CLIENT_ERRORS.has(textOf(error, 'message')))
    throw unavailable('The platform is overloaded: try again a little later.', { retryAfter: 1 });
  const message = INVALID_INPUT[code];
  throw message === undefined ? error : badRequest(message);
}

function textOf(error: unknown, key: 'code' | 'message'): string {
  return typeof error === 'object' && error !== null && key in error ? String(Reflect.get(error, key)) : '';
}

/** Returns the name of the violated constraint; undefined for other errors. */
export function violatedConstraint(error: unknown): string | undefined {
  const named = error instanceof Error && 'constraint' in error ? error.constraint : undefined;
  return typeof named === 'string' ? named : undefined;
}
