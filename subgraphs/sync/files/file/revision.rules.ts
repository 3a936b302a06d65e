import { badRequest, conflict } from '../../../../kernel/errors.js';

/** Revision of a file. */
export interface Revision {
  readonly revisionId: Buffer;
  /** Whole number as digits. */
  readonly revisionSeq: string;
}

/** Base revision and sequence number of a change; without both it follows any revision. */
export interface RevisionChange {
  readonly baseRevisionId?: Buffer | null;
  /** Whole number as digits. */
  readonly revisionSeq?: string;
}

/**
 * Checks that a change may follow the current revision: first the base, then the sequence number.
 * @throws CONFLICT with the current revision, BAD_REQUEST stale_sequence
 */
export function checkRevision(
  change: RevisionChange,
  present: Revision | undefined,
  conflictReason: 'conflict' | 'upload_conflict',
): void {
  const { baseRevisionId, revisionSeq } = change;
  if (revisionSeq === undefined) return;
  const isBase = present ? baseRevisionId?.equals(present.revisionId) === true : !baseRevisionId;
  if (!isBase) {
    throw conflict('The base revision of this change is not the current revision of the file.', {
      reason: conflictReason,
      current_revision_id: present ? [...present.revisionId] : null,
      current_revision_seq: present ? exactly(present.revisionSeq) : null,
    });
  }
  if (present && BigInt(revisionSeq) <= BigInt(present.revisionSeq)) {
    throw badRequest('`revision_seq` must be greater than that of the current revision.', { reason: 'stale_sequence' });
  }
}

/** As a number if it is exact in a double, else as digits. */
function exactly(digits: string): number | string {
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : digits;
}

/** The next sequence number. */
export function nextSequence(present: Pick<Revision, 'revisionSeq'> | undefined): string {
  return `${BigInt(present?.revisionSeq ?? '0') + 1n}`;
}
