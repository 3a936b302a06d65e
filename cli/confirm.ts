import { createInterface } from 'node:readline/promises';
import { UsageError } from './failure.js';

/** Asks on the terminal unless `--yes` was given. @throws UsageError for an answer other than y, and without a terminal */
export async function confirm(question: string, isGiven: boolean | undefined, verb = 'changed'): Promise<void> {
  if (isGiven === true) return;
  if (!process.stdin.isTTY)
    throw new UsageError(`Nothing was ${verb}. Give --yes where there is no terminal to ask on.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new UsageError(`Nothing was ${verb}.`);
}
