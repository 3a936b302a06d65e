import { errorCode } from '../../../../kernel/errors.js';

/** Outcome of an event. */
export type Outcome =
  | { readonly status: 'processed' | 'ignored' }
  /** Parked until the customer, page or payment with this id is known. */
  | { readonly status: 'parked'; readonly waitsFor: string }
  /** Differs from the transaction: shown to administrators. */
  | { readonly status: 'flagged'; readonly note: string }
  /** An error prevented processing: shown to administrators, who can retry it. */
  | { readonly status: 'failed'; readonly note: string };

export const PROCESSED: Outcome = { status: 'processed' };
export const IGNORED: Outcome = { status: 'ignored' };

/** Parks an event until the object with this id is known. */
export function parked(waitsFor: string): Outcome {
  return { status: 'parked', waitsFor };
}

/** Flags an event with a problem. */
export function flaggedBy(fault: string | undefined): Outcome {
  return fault === undefined ? PROCESSED : { status: 'flagged', note: fault };
}

const SEVERITY = { ignored: 0, processed: 1, parked: 2, flagged: 3, failed: 4 } as const;

/** The states of a stored event. */
export const EVENT_STATUSES = Object.keys(SEVERITY) as readonly Outcome['status'][];

/** The most severe of several outcomes. */
export function mostSevere(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce((most, next) => (SEVERITY[next.status] > SEVERITY[most.status] ? next : most), IGNORED);
}

/** Maximum length of a reason. */
const MAX_NOTE_LENGTH = 500;

/**
 * PostgreSQL errors that a retry of the same statement gets again: invalid data, not null, check. A unique violation
 * can succeed later.
 */
const PERMANENT_SQL_ERRORS = /^(?:22|23502|23514)/;

/** Error codes that a retry cannot change. */
const PERMANENT_REFUSALS: ReadonlySet<unknown> = new Set(['BAD_REQUEST', 'PAYMENT_REQUIRED', 'CONFLICT', 'NOT_FOUND']);

/** The outcome of an event after an error; undefined if a retry can help, e.g. when the database is unavailable. */
export function failedBy(error: unknown): Outcome | undefined {
  if (!(error instanceof Error)) return undefined;
  const refusal = errorCode(error);
  const isLasting = refusal === undefined ? isPermanent(error) : PERMANENT_REFUSALS.has(refusal);
  return isLasting
    ? { status: 'failed', note: error.message.replaceAll('\0', ' ').slice(0, MAX_NOTE_LENGTH) }
    : undefined;
}

function isPermanent(error: Error): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  return 'code' in error && PERMANENT_SQL_ERRORS.test(String(error.code));
}
