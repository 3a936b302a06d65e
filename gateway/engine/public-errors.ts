import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { errorCode, internal } from '../../kernel/errors.js';

/** Error codes of Apollo Server and Apollo Router for invalid requests. The client must see these errors. */
const REQUEST_ERROR_CODES: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_USER_INPUT',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_IN_LIST',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'QUERY_NOT_IN_SAFELIST',
]);

/** The error of a request whose document is not executed, with a code of Apollo. @param status of HTTP */
export function requestError(code: string, message: string, status: number): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } });
}

/** Returns an error of graphql-js about a document with a code of Apollo. */
export function withRequestCode(error: GraphQLError, code: string): GraphQLError {
  const { message, nodes = null, source = null, positions = null, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, extensions: { ...extensions, code } });
}

/** Returns the errors that clients may see. Reports every other error and replaces it with an internal error. */
export function publicErrors(
  errors: readonly GraphQLError[] | undefined,
  report: (error: unknown) => void,
): GraphQLError[] {
  return (errors ?? []).map((error) => publicError(error, report));
}

/** Returns the error that clients may see, without a stack trace. @param error an error, or its JSON form */
export function publicError(
  error: GraphQLError | GraphQLFormattedError,
  report: (error: unknown) => void,
): GraphQLError {
  const { message, path } = error;
  const nodes = error instanceof GraphQLError ? error.nodes : undefined;
  if (!errorCode(error) && !REQUEST_ERROR_CODES.has(error.extensions?.code)) {
    report(error);
    const replacement = internal();
    return new GraphQLError(replacement.message, { path: path ?? null, extensions: replacement.extensions });
  }
  const { serviceName: _serviceName, stacktrace: _stacktrace, http: _http, ...extensions } = error.extensions ?? {};
  return new GraphQLError(message, { path: path ?? null, nodes: nodes ?? null, extensions });
}

/** Returns the error code that clients see, which is one of a fixed set. */
export function publicCode(error: GraphQLError | GraphQLFormattedError): string {
  const code = errorCode(error) ?? publicError(error, () => undefined).extensions.code;
  return typeof code === 'string' ? code : 'INTERNAL';
}

/** Returns `Retry-After` if one of the errors says when to come back. */
export function retryHeaders(errors: readonly GraphQLError[] = []): Readonly<Record<string, string>> {
  const [seconds] = errors.flatMap(({ extensions }) =>
    typeof extensions.retryAfter === 'number' ? [extensions.retryAfter] : [],
  );
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
}
