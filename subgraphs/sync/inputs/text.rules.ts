import { badRequest } from '../../../kernel/errors.js';
import { isLine, isStorable, unstorable } from '../../../kernel/scalars/text.js';

/** @throws BAD_REQUEST invalid_manifest for a text that is too long or that PostgreSQL cannot store */
export function checkByteLength(field: string, text: string | null | undefined, maxBytes: number): void {
  if (!text) return;
  if (Buffer.byteLength(text) > maxBytes) throw invalid(`\`${field}\` must have at most ${maxBytes} bytes.`);
  if (!isStorable(text)) throw invalid(unstorable(`\`${field}\``));
}

/** Maximum bytes of a file name: four times as many as in file systems. */
export const MAX_FILE_NAME_BYTES = 1_024;

/** Whether a name is one path segment. */
function isSegment(name: string): boolean {
  return name !== '.' && name !== '..' && !name.includes('/') && isLine(name);
}

/**
 * @throws BAD_REQUEST invalid_manifest for a file name that is too long, that PostgreSQL cannot store, or that is not one
 * segment of a path
 */
export function checkFileName(field: string, name: string | null | undefined): void {
  checkByteLength(field, name, MAX_FILE_NAME_BYTES);
  if (name && !isSegment(name))
    throw invalid(`\`${field}\` must be a single file name: no \`/\`, no control characters, and not \`.\` or \`..\`.`);
}

/** The error for invalid file data from a client. */
export function invalid(message: string): Error {
  return badRequest(message, { reason: 'invalid_manifest' });
}
