import { GraphQLError } from 'graphql';

/** All error codes and their HTTP statuses. */
export const STATUS_BY_CODE = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  PAYMENT_REQUIRED: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  RANGE_NOT_SATISFIABLE: 416,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof STATUS_BY_CODE;

/** Additional fields of an error, e.g. `reason` for the error code of folder sync. */
type ErrorDetails = Readonly<Record<string, unknown>>;

function publicError(code: ErrorCode): (message: string, details?: ErrorDetails) => GraphQLError {
  return (message, details) => new GraphQLError(message, { extensions: { code, ...details } });
}

export const badRequest = publicError('BAD_REQUEST');
export const unauthenticated = publicError('UNAUTHENTICATED');
export const paymentRequired = publicError('PAYMENT_REQUIRED');
export const forbidden = publicError('FORBIDDEN');
export const notFound = publicError('NOT_FOUND');
export const methodNotAllowed = publicError('METHOD_NOT_ALLOWED');
export const requestTimeout = publicError('REQUEST_TIMEOUT');
export const conflict = publicError('CONFLICT');
export const preconditionFailed = publicError('PRECONDITION_FAILED');
export const payloadTooLarge = publicError('PAYLOAD_TOO_LARGE');
export const rangeNotSatisfiable = publicError('RANGE_NOT_SATISFIABLE');
export const rateLimited = publicError('RATE_LIMITED');
export const unavailable = publicError('UNAVAILABLE');

/**
 * Returns the error for stored bytes that cannot be written or read; the caller may retry.
 * @param cause is logged, never shown to the caller
 */
export function storageInconsistency(message: string, cause?: Error): GraphQLError {
  const extensions = { code: 'INTERNAL' satisfies ErrorCode, reason: 'storage_inconsistency' };
  return new GraphQLError(message, { extensions, ...(cause && { originalError: cause }) });
}

/** Returns the code of a public error, thrown or parsed from JSON; undefined for other errors, which callers must not see. */
export function errorCode(error: unknown): ErrorCode | undefined {
  if (typeof error !== 'object' || error === null || !('extensions' in error)) return undefined;
  const { extensions } = error;
  if (typeof extensions !== 'object' || extensions === null || !('code' in extensions)) return undefined;
  return isErrorCode(extensions.code) ? extensions.code : undefined;
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(STATUS_BY_CODE, code);
}

/** Parses a public error from JSON; undefined for other values. */
export function readRefusal(value: unknown): GraphQLError | undefined {
  const code = errorCode(value);
  if (!code) return undefined;
  const { message, extensions } = value as { readonly message?: unknown; readonly extensions: ErrorDetails };
  return publicError(code)(String(message), extensions);
}

/** Returns the public form of an unexpected error: no internals, only a pointer to the log. */
export function internal(): GraphQLError {
  return new GraphQLError('Something went wrong on our side; the request id finds it in the log.', {
    extensions: { code: 'INTERNAL' satisfies ErrorCode },
  });
}
