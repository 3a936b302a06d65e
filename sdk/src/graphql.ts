import type { TadaDocumentNode } from 'gql.tada';
import { Kind, OperationTypeNode, parse, print, type DocumentNode } from 'graphql';
import { dataOf, type GraphQLAnswer } from './answer.js';
import type { Transport } from './transport.js';

/** A text, or a document whose data and variables have types. */
export type Operation<Data, Variables> = string | TadaDocumentNode<Data, Variables>;

/** How an operation is sent. */
export interface ExecuteOptions {
  /** Whether it may be sent twice. Default: a query may, a mutation may not. Give true for a mutation with an idempotency key. */
  readonly isRepeatable?: boolean;
}

/**
 * Executes a query or a mutation. One that may be sent twice is repeated when the platform is away.
 * @throws PlatformError with the first error of the answer
 */
export async function execute<Data, Variables>(
  transport: Transport,
  operation: Operation<Data, Variables>,
  { variables, isRepeatable = isQuery(operation) }: ExecuteOptions & { readonly variables?: Variables | undefined },
): Promise<Data> {
  const query = textOf(operation);
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ query, variables }), isRepeatable };
  const answer = await transport.send('/graphql', request);
  return dataOf((await answer.json().catch(() => ({}))) as GraphQLAnswer<Data>, answer.status);
}

/** Whether a document has queries only. One that cannot be parsed is none: the platform refuses it. */
function isQuery<Data, Variables>(operation: Operation<Data, Variables>): boolean {
  try {
    const { definitions }: DocumentNode = typeof operation === 'string' ? parse(operation) : operation;
    return definitions.every(
      (one) => one.kind !== Kind.OPERATION_DEFINITION || one.operation === OperationTypeNode.QUERY,
    );
  } catch {
    return false;
  }
}

/** Returns the text of an operation. */
export function textOf<Data, Variables>(operation: Operation<Data, Variables>): string {
  return typeof operation === 'string' ? operation : print(operation);
}
