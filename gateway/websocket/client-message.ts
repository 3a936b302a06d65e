import { isJsonObject, parseExactly } from '../../kernel/scalars/exact-json.js';

/** Reads an operation as JSON with exact numbers. Returns other texts unchanged: graphql-ws reads or refuses them. */
export function readMessage(text: string): unknown {
  const message = parsed(text);
  return isJsonObject(message) && message.type === 'subscribe' ? message : text;
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
