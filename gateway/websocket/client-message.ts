import { ExactNumber, isJsonObject, parseExactly } from '../../kernel/scalars/exact-json.js';

/**
 * Reads a message as JSON with exact numbers. An operation that only names its document gets an empty text, because graphql-ws
 * closes the socket of one without. Returns other texts unchanged: graphql-ws reads and refuses them.
 */
export function readMessage(text: string): unknown {
  const message = parsed(text);
  if (!isJsonObject(message) || message.type !== 'subscribe' || !isJsonObject(message.payload)) return text;
  const { payload } = message;
  // graphql-ws would take an exact number for an object.
  if ([payload.variables, payload.extensions].some((value) => value instanceof ExactNumber)) return text;
  const isNamed =
    payload.query == null && isJsonObject(payload.extensions) && payload.extensions.persistedQuery != null;
  return isNamed ? { ...message, payload: { ...payload, query: '' } } : message;
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
