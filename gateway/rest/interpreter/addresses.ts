import { badRequest, notFound } from '../../../kernel/errors.js';
import { FOLDER_ROUTES } from '../contract.js';

/** The word for a parameter that cannot be what it has to be; where there is none, nothing is at the address. Source: folder-sync document, Errors */
const WORDS: Readonly<Record<string, string>> = {
  base_address: 'invalid_user_id',
  ss58: 'invalid_user_id',
  file_id: 'invalid_file_id',
  folder_hash: 'invalid_manifest',
  session_id: 'invalid_manifest',
  chunk_index: 'invalid_manifest',
};

/** Refuses a parameter of an address that cannot be read. */
export function unreadable(parameter: string): Error {
  const reason = WORDS[parameter];
  if (reason === undefined) return notFound('There is nothing at this address.');
  return badRequest(`The \`${parameter}\` in the address cannot be read.`, { reason });
}

/** Refuses an address that is not well percent-encoded, by the word for the first parameter that is not. */
export function malformed(url: string): Error {
  const [path = ''] = url.split('?');
  const parts = path.replace(/\/$/, '').split('/');
  const [parameter] = FOLDER_ROUTES.flatMap((route) => brokenParameter(route.path.split('/'), parts) ?? []);
  const reason = WORDS[parameter ?? ''] ?? 'invalid_manifest';
  return badRequest('The address is not well percent-encoded.', { reason });
}

/** The first parameter that cannot be decoded; undefined where the address is of another form. */
function brokenParameter(form: readonly string[], parts: readonly string[]): string | undefined {
  const isOfForm = form.length === parts.length && form.every((part, at) => part.startsWith('{') || part === parts[at]);
  const at = isOfForm ? parts.findIndex((part) => !isDecodable(part)) : -1;
  return form[at]?.slice(1, -1);
}

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
