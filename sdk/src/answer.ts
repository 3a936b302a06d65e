import { PlatformError, unknownAnswer } from './errors.js';

/** The answer of an operation, or one event of a subscription. */
export interface GraphQLAnswer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

/** Returns the data. @param status of the HTTP answer @throws PlatformError with the first error */
export function dataOf<Data>(answer: GraphQLAnswer<Data>, status?: number): Data {
  const { data, errors } = answer;
  if (errors?.[0] || data === undefined || data === null) throw errorIn(answer, status);
  return data;
}

/** Returns the first error of an answer. */
export function errorIn({ data, errors }: GraphQLAnswer<unknown>, status?: number): PlatformError {
  const [error] = errors ?? [];
  if (!error) return unknownAnswer(status ?? 200);
  return new PlatformError(error.message, status, error.extensions?.code, { data, errors });
}
