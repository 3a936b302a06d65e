import { Kind, type GraphQLError, type OperationDefinitionNode } from 'graphql';
import type { Logger } from '../../kernel/telemetry/log.js';
import type { Trace } from '../../kernel/telemetry/trace.js';
import type { RequestContext } from '../engine/execution.js';
import { publicCode, publicErrors } from '../engine/public-errors.js';
import type { OperationReport } from '../http/metrics.js';
import { annotateSpan } from './operation-tracing.js';

/** Longer operation names are cut in the log. */
const MAX_NAME_LENGTH = 64;

/** A request context with a callback for the operation report. */
export interface ReportingContext extends RequestContext {
  readonly report: (operation: OperationReport) => void;
}

/** An operation that is answered. `operation` is undefined if the document is invalid. */
export type Report = (
  context: ReportingContext,
  operation: OperationDefinitionNode | undefined,
  errors: readonly GraphQLError[],
) => void;

/** Returns the function that reports answered operations: to the log and the metrics by the request, and to its span. Internal errors are logged in full. */
export function operationReporter({
  log,
  trace,
}: {
  readonly log: Logger;
  readonly trace?: Trace | undefined;
}): Report {
  return ({ requestId, report }, operation, errors) => {
    publicErrors(errors, (err) => log.error({ requestId, err }, 'an operation failed'));
    const codes = [...new Set(errors.map(publicCode))];
    report({ ...(operation ? describeOperation(operation) : { type: 'none', field: 'none' }), codes });
    const span = trace?.running();
    if (span) annotateSpan(span, operation, errors);
  };
}

/** Describes an operation of a valid document. */
export function describeOperation({
  operation,
  name,
  selectionSet,
}: OperationDefinitionNode): Omit<OperationReport, 'codes'> {
  const [first, ...others] = selectionSet.selections;
  const field = first?.kind === Kind.FIELD && others.length === 0 ? first.name.value : 'several';
  return { type: operation, ...(name && { name: name.value.slice(0, MAX_NAME_LENGTH) }), field };
}
