import { badRequest } from '../../../../kernel/errors.js';

/** The path hash of a file id of 64 hex digits. @throws BAD_REQUEST invalid_file_id */
export function readFileId(fileId: string): Buffer {
  const pathHash = fileIdBytes(fileId);
  if (!pathHash) throw badRequest('A file id must have 64 hex digits.', { reason: 'invalid_file_id' });
  return pathHash;
}

/** Like `readFileId`; undefined for an invalid id. */
export function fileIdBytes(fileId: string): Buffer | undefined {
  return /^[0-9a-f]{64}$/i.test(fileId) ? Buffer.from(fileId, 'hex') : undefined;
}

/** Default and maximum page size of a state listing. */
export const STATE_PAGE = { defaultLimit: 1_000, maxLimit: 5_000 } as const;

/** Maximum files deleted in one request. */
export const MAX_DELETIONS = 1_000;
