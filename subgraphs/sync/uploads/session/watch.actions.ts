import { inState } from '../../../../kernel/events/sources/states.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import type { SyncContext } from '../../services.js';
import { findSession, readStatus } from './session.actions.js';
import { sessionTopic } from './session-topic.js';
import type { UploadSession } from './upload.js';

/**
 * The current session, then every change until it ends. All subscribers share the reads. @throws UNAUTHENTICATED, NOT_FOUND,
 * FORBIDDEN, RATE_LIMITED
 */
export async function* sessionChanges(context: SyncContext, id: string): AsyncGenerator<UploadSession> {
  await findSession(context, id);
  const { services, events, signal } = context;
  const leave = await services.subscriptionLimiter.enter(`${requireUser(context.viewer).userId}`);
  try {
    const read = () => readStatus(context, id);
    let known: string | undefined;
    for await (const session of services.sessionSubscriptions.follow({
      topic: sessionTopic(id).topic,
      events,
      read,
      signal,
    })) {
      const present = `${session.state} ${session.version}`;
      if (present !== known) yield inState(session, present);
      known = present;
    }
  } finally {
    leave();
  }
}
