import { randomBytes } from 'node:crypto';
import { badRequest } from '../../../../kernel/errors.js';
import { checkLength, isSigned, renameSentence } from '../../inputs/manifest.rules.js';
import { checkFileName, invalid } from '../../inputs/text.rules.js';
import { readRelativePath } from '../../inputs/path.rules.js';
import { nextSequence } from '../file/revision.rules.js';
import type { RenamedFile, RenameInput, UnrenamedFile } from './rename.js';

/** Maximum renames and path registrations in one request. */
export const MAX_RENAMES = 1_000;
export const MAX_PATHS = 500;

/** Maximum bytes of an encrypted path. */
const MAX_ENCRYPTED_PATH_BYTES = 5_120;

/** Checks renames and their signature. @throws BAD_REQUEST batch_too_large or invalid_manifest */
export function checkRenames(
  renames: readonly RenameInput[],
  proof: { readonly signature: Buffer; readonly signingKey: Buffer },
): void {
  if (renames.length > MAX_RENAMES)
    throw badRequest(`At most ${MAX_RENAMES} files can be renamed at once.`, { reason: 'batch_too_large' });
  checkLength('signature', proof.signature, 64);
  checkLength('signing_key', proof.signingKey, 32);
  for (const rename of renames) checkRename(rename);
  const pairs = renames.map(({ oldPathHash, newPathHash }) => ({ from: oldPathHash, to: newPathHash }));
  if (!isSigned(renameSentence(pairs), proof)) throw invalid('The signature of the renames is not valid.');
}

function checkRename({ oldPathHash, newPathHash, newEncryptedPath, baseRevisionId, ...names }: RenameInput): void {
  checkLength('old_path_hash', oldPathHash, 32);
  checkLength('new_path_hash', newPathHash, 32);
  if (baseRevisionId) checkLength('base_revision_id', baseRevisionId, 32);
  if (newEncryptedPath && newEncryptedPath.length > MAX_ENCRYPTED_PATH_BYTES)
    throw invalid(`\`new_encrypted_path\` must have at most ${MAX_ENCRYPTED_PATH_BYTES} bytes.`);
  checkFileName('new_file_name', names.newFileName);
  readRelativePath('new_relative_path', names.newRelativePath);
}

/** Largest unsigned 64-bit integer. */
const LAST_SEQUENCE = 2n ** 64n - 1n;

/** A file at an old or new path of the renames. */
export interface RenamableFile {
  readonly id: string;
  readonly pathHash: Buffer;
  readonly revisionId: Buffer;
  readonly revisionSeq: string;
}

/** The new values of a row. */
export interface Renamed {
  readonly id: string;
  readonly rename: RenameInput;
  readonly revisionId: Buffer;
  readonly revisionSeq: string;
}

/** Plans renames in order: later ones see the effect of earlier ones. @param files files at old and new paths */
export function planRenames(
  files: readonly RenamableFile[],
  renames: readonly RenameInput[],
): { readonly rows: readonly Renamed[]; readonly successes: RenamedFile[]; readonly failures: UnrenamedFile[] } {
  const present = new Map(files.map((file) => [file.pathHash.toString('hex'), file]));
  const rows = new Map<string, Renamed>();
  const successes: RenamedFile[] = [];
  const failures: UnrenamedFile[] = [];
  for (const rename of renames) {
    const { oldPathHash, newPathHash, baseRevisionId } = rename;
    const file = present.get(oldPathHash.toString('hex'));
    const reason = file
      ? refusalOf(file, { isTaken: present.has(newPathHash.toString('hex')), baseRevisionId })
      : 'not_found';
    if (!file || reason) {
      failures.push({ oldPathHash, reason: reason ?? 'not_found' });
      continue;
    }
    const revisionId = randomBytes(32);
    const revisionSeq = nextSequence(file);
    present.delete(oldPathHash.toString('hex'));
    present.set(newPathHash.toString('hex'), { ...file, pathHash: newPathHash, revisionId, revisionSeq });
    rows.set(file.id, { id: file.id, rename, revisionId, revisionSeq });
    successes.push({ oldPathHash, newPathHash, newRevisionId: revisionId, newRevisionSeq: revisionSeq });
  }
  return { rows: [...rows.values()], successes, failures };
}

function refusalOf(
  { revisionId, revisionSeq }: RenamableFile,
  { isTaken, baseRevisionId }: { readonly isTaken: boolean; readonly baseRevisionId: Buffer | null | undefined },
): UnrenamedFile['reason'] | undefined {
  if (!baseRevisionId?.equals(revisionId)) return 'revision_mismatch';
  if (isTaken) return 'target_exists';
  return BigInt(revisionSeq) < LAST_SEQUENCE ? undefined : 'database_error';
}
