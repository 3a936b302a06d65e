import { badRequest, unavailable } from '../errors.js';
import { unstorable } from '../text.js';

/** Values that PostgreSQL cannot keep are the caller's fault also where a rule let them through, by its own error codes. */
const UNSTORABLE: Readonly<Record<string, string>> = {
  '22021': unstorable('A text'),
  '22003': 'A number is larger than can be kept.',
};

/** What the pool says to whom it had no connection for in time, and a connection that PostgreSQL is silent on. */
const UNANSWERED: ReadonlySet<string> = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'Query read timeout',
]);

/** Statements that waited or worked for too long, stood in each other's way, or came when no connection was left. Source: PostgreSQL, Error Codes */
const OVERTAXED: ReadonlySet<string> = new Set(['55P03', '57014', '40P01', '53300']);

/** Maps PostgreSQL errors to public errors: transient ones (retry later) and invalid input. Others are thrown as they are. */
export function refuse(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (OVERTAXED.has(code) || (error instanceof Error && UNANSWERED.has(error.message)))
    throw unavailable('Too much is asked of the platform just now: try again a little later.', { retryAfter: 1 });
  const sentence = UNSTORABLE[code];
  throw sentence === undefined ? error : badRequest(sentence);
}

/** The name of the constraint that refused a change; undefined for any other fault. */
export function violatedConstraint(error: unknown): string | undefined {
  const named = error instanceof Error && 'constraint' in error ? error.constraint : undefined;
  return typeof named === 'string' ? named : undefined;
}
