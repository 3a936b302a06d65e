/** The state of its source after an event. */
const states = new WeakMap<object, object>();

/**
 * Notes the state of a source after an event, and returns the event. Two subscriptions of one viewer to one operation
 * whose last events have the same state continue alike, so that one can go on for both, and can begin again at any time:
 * a source may only do this if its first event is the whole present state.
 */
export function inState<Event extends object>(event: Event, state: object): Event {
  states.set(event, state);
  return event;
}

/** Returns the state after the event; undefined if the source does not note it. */
export function stateAfter(event: unknown): object | undefined {
  return typeof event === 'object' && event !== null ? states.get(event) : undefined;
}
