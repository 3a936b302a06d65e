import { isDeepStrictEqual } from 'node:util';
import { errorCode } from '../../../kernel/errors.js';
import type { SyncContext } from '../services.js';
import { readSession } from './session.actions.js';
import type { UploadSession } from './upload.js';
import { sessionTopic } from './session-topic.js';

/** The session at once, then after each change; ends when it is no more. @throws UNAUTHENTICATED, NOT_FOUND, FORBIDDEN */
export async function* sessionChanges(context: SyncContext, id: string): AsyncGenerator<UploadSession> {
  const announced = context.events.subscribe([sessionTopic(id).topic], context.signal);
  let known = await readSession(context, id);
  yield known;
  for await (const _ of announced) {
    const next = await readSession(context, id).catch(unlessGone);
    if (!next) return;
    if (isDeepStrictEqual(next, known)) continue;
    yield next;
    known = next;
  }
}

function unlessGone(error: unknown): undefined {
  if (errorCode(error) !== 'NOT_FOUND') throw error;
}
