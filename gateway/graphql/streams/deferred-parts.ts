import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import type { InitialResult, SubsequentResult } from '../../engine/delivery.js';
import { PARTS } from './stream-formats.js';

/** Returns what the client sees of errors. */
type Show = (errors: readonly GraphQLError[]) => readonly GraphQLFormattedError[];

/** Yields the text of a multipart answer, each part when the one before it is written. */
export async function* framesOf(
  first: InitialResult,
  rest: AsyncIterable<InitialResult | SubsequentResult>,
  show: Show,
): AsyncGenerator<Buffer> {
  yield Buffer.concat([Buffer.from(PARTS.beginning), frameOf(first, show)]);
  for await (const part of rest) yield frameOf(part, show);
  yield Buffer.from(PARTS.ending);
}

function frameOf(part: InitialResult | SubsequentResult, show: Show): Buffer {
  const shown = {
    ...part,
    ...('errors' in part && part.errors && { errors: show(part.errors) }),
    ...('incremental' in part && {
      incremental: part.incremental?.map(({ errors, ...result }) => ({
        ...(errors && { errors: show(errors) }),
        ...result,
      })),
    }),
  };
  return PARTS.next(Buffer.from(JSON.stringify(shown)));
}
