import type { GraphQLError } from 'graphql';
import { badRequest, notFound } from '../../../kernel/errors.js';
import { FOLDER_ROUTES } from '../contract.js';

/** The reasons of invalid path parameters: error codes of the file API. Other parameters answer 404. */
const REASONS: Readonly<Record<string, string>> = {
  base_address: 'invalid_user_id',
  ss58: 'invalid_user_id',
  file_id: 'invalid_file_id',
  folder_hash: 'invalid_manifest',
  session_id: 'invalid_manifest',
  chunk_index: 'invalid_manifest',
};

/** The error for a path parameter with an invalid value. */
export function invalidParameter(parameter: string): GraphQLError {
  const reason = REASONS[parameter];
  if (reason === undefined) return notFound('There is nothing at this address.');
  return badRequest(`The \`${parameter}\` in the URL path cannot be read.`, { reason });
}

/** The error for a URL with invalid percent-encoding, with the reason of the first invalid parameter. */
export function malformedUrl(url: string): GraphQLError {
  const [path = ''] = url.split('?');
  const parts = path.replace(/\/$/, '').split('/');
  const [parameter] = FOLDER_ROUTES.flatMap((route) => undecodableParameter(route.path.split('/'), parts) ?? []);
  const reason = REASONS[parameter ?? ''] ?? 'invalid_manifest';
  return badRequest('The URL has invalid percent-encoding.', { reason });
}

/** The first parameter that cannot be decoded. Undefined if the URL does not match the route. */
function undecodableParameter(pattern: readonly string[], parts: readonly string[]): string | undefined {
  const isMatch =
    pattern.length === parts.length && pattern.every((part, at) => part.startsWith('{') || part === parts[at]);
  const at = isMatch ? parts.findIndex((part) => !isDecodable(part)) : -1;
  return pattern[at]?.slice(1, -1);
}

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
