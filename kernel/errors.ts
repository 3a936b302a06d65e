import { GraphQLError } from 'graphql';

/** Every way in which a request can be refused, and the HTTP status that says so. */
export const STATUS_BY_CODE = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  PAYMENT_REQUIRED: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  RANGE_NOT_SATISFIABLE: 416,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof STATUS_BY_CODE;

/** Fields an answer carries beside the sentence, e.g. `reason` for the folder-sync error word. */
type ErrorDetails = Readonly<Record<string, unknown>>;

function refusal(code: ErrorCode): (message: string, details?: ErrorDetails) => GraphQLError {
  return (message, details) => new GraphQLError(message, { extensions: { code, ...details } });
}

export const badRequest = refusal('BAD_REQUEST');
export const unauthenticated = refusal('UNAUTHENTICATED');
export const paymentRequired = refusal('PAYMENT_REQUIRED');
export const forbidden = refusal('FORBIDDEN');
export const notFound = refusal('NOT_FOUND');
export const methodNotAllowed = refusal('METHOD_NOT_ALLOWED');
export const requestTimeout = refusal('REQUEST_TIMEOUT');
export const conflict = refusal('CONFLICT');
export const payloadTooLarge = refusal('PAYLOAD_TOO_LARGE');
export const rangeNotSatisfiable = refusal('RANGE_NOT_SATISFIABLE');
export const rateLimited = refusal('RATE_LIMITED');
export const unavailable = refusal('UNAVAILABLE');

/**
 * What a caller is told when stored bytes cannot be written or read: ours to mend, theirs to try again.
 * @param cause goes to the log, never to the caller
 */
export function storageInconsistency(message: string, cause?: Error): GraphQLError {
  const extensions = { code: 'INTERNAL' satisfies ErrorCode, reason: 'storage_inconsistency' };
  return new GraphQLError(message, { extensions, ...(cause && { originalError: cause }) });
}

/** The code of a refusal of ours, as thrown or as it came over the wire; undefined for anything else, which callers must not see. */
export function errorCode(error: unknown): ErrorCode | undefined {
  if (typeof error !== 'object' || error === null || !('extensions' in error)) return undefined;
  const { extensions } = error;
  if (typeof extensions !== 'object' || extensions === null || !('code' in extensions)) return undefined;
  return isErrorCode(extensions.code) ? extensions.code : undefined;
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(STATUS_BY_CODE, code);
}

/** A refusal of ours as it came over the wire; undefined for anything else. */
export function readRefusal(value: unknown): GraphQLError | undefined {
  const code = errorCode(value);
  if (!code) return undefined;
  const { message, extensions } = value as { readonly message?: unknown; readonly extensions: ErrorDetails };
  return refusal(code)(String(message), extensions);
}

/** What a caller is told of a fault that is ours: nothing internal, the request id finds it in the log. */
export function internal(): GraphQLError {
  return new GraphQLError('Something went wrong on our side; the request id finds it in the log.', {
    extensions: { code: 'INTERNAL' satisfies ErrorCode },
  });
}
