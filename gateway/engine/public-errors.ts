import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { errorCode, internal } from '../../kernel/errors.js';

/** Codes that Apollo Server gives to documents it refuses: faults of the caller that must reach them. */
const DOCUMENT_FAULTS: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_USER_INPUT',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

/** What callers may see of errors: refusals as they are, without traces; everything else, reported, as a fault of ours. */
export function publicErrors(
  errors: readonly GraphQLError[] | undefined,
  report: (fault: unknown) => void,
): GraphQLError[] {
  return (errors ?? []).map((error) => publicError(error, report));
}

/** The same for one. @param error an error, or what of it came over the wire */
export function publicError(
  error: GraphQLError | GraphQLFormattedError,
  report: (fault: unknown) => void,
): GraphQLError {
  const { message, path } = error;
  const nodes = error instanceof GraphQLError ? error.nodes : undefined;
  if (!errorCode(error) && !DOCUMENT_FAULTS.has(error.extensions?.code)) {
    report(error);
    const shown = internal();
    return new GraphQLError(shown.message, { path: path ?? null, extensions: shown.extensions });
  }
  const { serviceName: _serviceName, stacktrace: _stacktrace, http: _http, ...extensions } = error.extensions ?? {};
  return new GraphQLError(message, { path: path ?? null, nodes: nodes ?? null, extensions });
}

/** The code that callers see of an error: one of a fixed set. */
export function publicCode(error: GraphQLError | GraphQLFormattedError): string {
  const code = errorCode(error) ?? publicError(error, () => undefined).extensions.code;
  return typeof code === 'string' ? code : 'INTERNAL';
}
