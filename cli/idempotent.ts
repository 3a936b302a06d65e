import { randomUUID } from 'node:crypto';
import { isRefusal, withAdvice } from './failure.js';
import { warn } from './output.js';
import type { Session } from './session.js';

/** The option of commands that can be repeated after a lost answer. */
export const IDEMPOTENCY_KEY = [
  '--idempotency-key <key>',
  'repeat an earlier command with its key: it has its effect only once',
] as const;

/** What `IDEMPOTENCY_KEY` gives. */
export interface Idempotent {
  readonly idempotencyKey?: string;
}

/**
 * Sends a mutation with the key of the option, else with a new one. Ctrl-C says the key too.
 * @throws the error; one after which the mutation may have had its effect names the key
 */
export async function withKey<Result>(
  { signal }: Session,
  { idempotencyKey = randomUUID() }: Idempotent,
  send: (idempotencyKey: string) => Promise<Result>,
): Promise<Result> {
  const advice = `Repeat the command with --idempotency-key ${idempotencyKey}: it has its effect only once.`;
  const advise = () => warn(advice);
  signal.throwIfAborted();
  signal.addEventListener('abort', advise);
  try {
    return await send(idempotencyKey);
  } catch (error) {
    throw isRefusal(error) ? error : withAdvice(error, advice);
  } finally {
    signal.removeEventListener('abort', advise);
  }
}
