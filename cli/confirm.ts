import { createInterface } from 'node:readline/promises';
import { Interrupted, UsageError } from './failure.js';
import { Output } from './output.js';

/** The option of each command that asks. */
export const YES = ['--yes', 'do not ask; needed where there is no terminal'] as const;

/** What `YES` gives. */
export interface Confirmed {
  readonly yes?: boolean;
}

/** Returns where to write what a question is about: standard error with `--json`. Undefined: `--json`, and no question. */
export function previewOf(output: Output, isGiven: boolean | undefined): Output | undefined {
  if (!output.isJson) return output;
  return isGiven === true ? undefined : new Output(false, process.stderr);
}

/** Where a question is asked. */
interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/**
 * Asks on the terminal unless `--yes` was given.
 * @throws UsageError for an answer other than y, and without a terminal; Interrupted for Ctrl-C and Ctrl-D
 */
export async function confirm(
  question: string,
  isGiven: boolean | undefined,
  verb = 'changed',
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (isGiven === true) return;
  if (input.isTTY !== true)
    throw new UsageError(`Nothing was ${verb}. Give --yes where there is no terminal to ask on.`);
  const terminal = createInterface({ input, output, terminal: true });
  const answer = await terminal.question(`${question} [y/N] `).catch(() => {
    throw new Interrupted(`Nothing was ${verb}.`);
  });
  terminal.close();
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new UsageError(`Nothing was ${verb}.`);
}
