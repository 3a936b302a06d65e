import { parseArgs, type ParseArgsConfig } from 'node:util';
import { StartError } from './data-directory.js';

/** Parses the arguments of a command. @throws StartError with its usage for an unknown or incomplete option */
export function parseWords<Options extends ParseArgsConfig>(
  usage: string,
  options: Options,
): ReturnType<typeof parseArgs<Options>> {
  try {
    return parseArgs(options);
  } catch {
    throw new StartError(usage);
  }
}
