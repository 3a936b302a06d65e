import type { PlatformEvent } from '../../../kernel/events/events.js';

/** Says that a session has changed or is gone. */
export function sessionTopic(id: string): PlatformEvent {
  return { topic: `upload-session:${id}` };
}
