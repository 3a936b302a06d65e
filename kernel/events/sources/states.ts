/** The state of its source after an event. */
const states = new WeakMap<object, string>();

/** An item of a source without an event for clients: only its current state. */
export class SourceState {
  constructor(readonly state: string) {}
}

/**
 * Notes the state of a source after an event, and returns the event. Two subscriptions of one viewer to one operation that
 * are in the same state continue alike, so that one serves both. A client that was too slow begins again with
 * `resumeFrom`, the state after the last event that it got: the source sends what followed, or else the whole current state.
 */
export function inState<Event extends object>(event: Event, state: string): Event {
  states.set(event, state);
  return event;
}

/** Returns the state after the event; undefined if the source does not note it. */
export function stateAfter(event: unknown): string | undefined {
  if (event instanceof SourceState) return event.state;
  return typeof event === 'object' && event !== null ? states.get(event) : undefined;
}
