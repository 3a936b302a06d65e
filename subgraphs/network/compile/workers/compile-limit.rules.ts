import type { GraphQLError } from 'graphql';
import type { CompileLimits } from '../../config.js';
import { errorCode, unavailable } from '../../../../kernel/errors.js';

/** Distinguishes a network over a limit from an unavailable compiler. */
const REASON = 'compile_limit';

/** Whether the error is a compile limit. */
export function isOverLimit(error: unknown): error is Error {
  return errorCode(error) === 'UNAVAILABLE' && (error as GraphQLError).extensions.reason === REASON;
}

/** The error for a network over a limit. */
export function overLimit(limit: string): Error {
  return unavailable(
    `This private network takes more than ${limit} to compile. Make it smaller: fewer policies, ports or groups.`,
    { reason: REASON },
  );
}

/** The error for a network over the memory limit. */
export function overMemory({ memoryMib }: CompileLimits): Error {
  return overLimit(`${memoryMib} MiB of memory`);
}
