import type { PlatformEvent } from '../../../../kernel/events/events.js';

/** The event for a changed or deleted session. */
export function sessionTopic(id: string): PlatformEvent {
  return { topic: `upload-session:${id}` };
}
