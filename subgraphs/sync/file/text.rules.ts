import { badRequest } from '../../../kernel/errors.js';
import { isStorable } from '../../../kernel/text.js';

/** @throws BAD_REQUEST invalid_manifest for a text that cannot be kept */
export function checkText(field: string, text: string | null | undefined, longestBytes: number): void {
  if (!text) return;
  if (Buffer.byteLength(text) > longestBytes) throw invalid(`\`${field}\` must have at most ${longestBytes} bytes.`);
  if (!isStorable(text)) throw invalid(`\`${field}\` must not hold U+0000 or half of a surrogate pair.`);
}

/** A refusal of what a client says of its files. */
export function invalid(message: string): Error {
  return badRequest(message, { reason: 'invalid_manifest' });
}
