import { GraphQLError } from 'graphql';

/** Every way in which a request can be refused, and the HTTP status that says so. */
export const STATUS_BY_CODE = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  PAYMENT_REQUIRED: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
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
export const conflict = refusal('CONFLICT');
export const payloadTooLarge = refusal('PAYLOAD_TOO_LARGE');
export const rateLimited = refusal('RATE_LIMITED');
export const unavailable = refusal('UNAVAILABLE');

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

/** What a caller is told of a fault that is ours: nothing internal, the request id finds it in the log. */
export function internal(): GraphQLError {
  return new GraphQLError('Something went wrong on our side; the request id finds it in the log.', {
    extensions: { code: 'INTERNAL' satisfies ErrorCode },
  });
}
