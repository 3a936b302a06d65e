/** A refusal by the platform, or no answer from it. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';

  constructor(
    message: string,
    /** HTTP status; undefined for errors of GraphQL and of the network. */
    readonly status: number | undefined,
    /** Code of the error, such as `NOT_FOUND` (GraphQL) or `invalid_manifest` (folder sync); undefined for plain REST. */
    readonly code: string | undefined,
    /** The whole body of the answer. */
    readonly body?: unknown,
  ) {
    super(message);
  }
}

/** Reads the sentence and the code of a refused request. Each API has its own shape of errors. */
export function errorOf(status: number, body: unknown): PlatformError {
  const { Error: nested, error, message, detail } = asRecord(body);
  const folderSync = asRecord(nested);
  const text = [folderSync.message, message, error, detail].find((value) => typeof value === 'string');
  const code = [folderSync.error, message === undefined ? undefined : error].find((value) => typeof value === 'string');
  return text === undefined ? unknownAnswer(status) : new PlatformError(text, status, code, body);
}

/** The error for an answer that is none of the platform's. */
export function unknownAnswer(status: number): PlatformError {
  const cause = status < 500 ? 'is the address that of the platform?' : 'the platform or a proxy before it fails.';
  return new PlatformError(`HTTP ${status} without an error of the platform: ${cause}`, status, undefined);
}

/** Returns the value if it is an object, else an empty one. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
