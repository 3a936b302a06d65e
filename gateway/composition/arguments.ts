import { parseArgs, type ParseArgsConfig } from 'node:util';
import { StartError } from './data-directory.js';

/** Parses the arguments of a command. @throws StartError with the wrong option and the usage */
export function parseArguments<Options extends ParseArgsConfig>(
  usage: string,
  options: Options,
): ReturnType<typeof parseArgs<Options>> {
  try {
    return parseArgs(options);
  } catch (error) {
    throw new StartError(error instanceof Error ? `${error.message}\n${usage}` : usage);
  }
}
