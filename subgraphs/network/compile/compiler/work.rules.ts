import type { GraphQLError } from 'graphql';
import type { CompileLimits } from '../../../../kernel/config/network-config.js';
import { errorCode, unavailable } from '../../../../kernel/errors.js';

/** By which a network that is over a limit is told from a compiler that is not there. */
const REASON = 'compile_limit';

/** Whether it was a limit that refused. */
export function isTooMuch(error: unknown): error is Error {
  return errorCode(error) === 'UNAVAILABLE' && (error as GraphQLError).extensions.reason === REASON;
}

/** What is said of a network that is over a limit. */
export function tooMuch(limit: string): Error {
  return unavailable(
    `This private network takes more than ${limit} to compile. Make it smaller: fewer policies, ports or groups.`,
    { reason: REASON },
  );
}

/** The same of memory. */
export function overMemory({ memoryMib }: CompileLimits): Error {
  return tooMuch(`${memoryMib} MiB of memory`);
}
