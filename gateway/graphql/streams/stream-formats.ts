/** How results are written into one HTTP answer. */
export interface StreamFormat {
  readonly name: string;
  readonly contentType: string;
  readonly beginning: string;
  readonly next: (json: Buffer) => Buffer;
  /** Shows that the connection lives. */
  readonly heartbeat: string;
  readonly ending: string;
}

/** Source: GraphQL over Server-Sent Events, distinct connections mode */
export const SERVER_SENT_EVENTS: StreamFormat = {
  name: 'server-sent events',
  contentType: 'text/event-stream; charset=utf-8',
  beginning: ':\n\n',
  next: (json) => Buffer.concat([Buffer.from('event: next\ndata: '), json, Buffer.from('\n\n')]),
  heartbeat: ':\n\n',
  ending: 'event: complete\ndata:\n\n',
};

const PART = '\r\ncontent-type: application/json\r\n\r\n';
const BOUNDARY = '\r\n--graphql';

/** Source: Apollo, HTTP multipart protocol for GraphQL subscriptions, version 1.0 */
export const MULTIPART: StreamFormat = {
  name: 'multipart',
  contentType: 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0"',
  beginning: BOUNDARY,
  next: (json) => Buffer.concat([Buffer.from(`${PART}{"payload":`), json, Buffer.from(`}${BOUNDARY}`)]),
  heartbeat: `${PART}{}${BOUNDARY}`,
  ending: '--\r\n',
};

/** Whether queries and mutations get the format, too. Clients that also accept JSON mean the stream for subscriptions. */
export function isForEveryOperation(format: StreamFormat, accept = ''): boolean {
  const acceptsJson = /\bapplication\/(?:json|graphql-response\+json)\b|\*\/\*/i.test(accept);
  return format === SERVER_SENT_EVENTS && !acceptsJson;
}

/** Returns the format that the Accept header names; undefined for one answer in JSON. */
export function formatFor(accept: string | undefined): StreamFormat | undefined {
  if (/\btext\/event-stream\b/i.test(accept ?? '')) return SERVER_SENT_EVENTS;
  return /\bmultipart\/mixed\s*;[^,]*\bsubscriptionSpec=/i.test(accept ?? '') ? MULTIPART : undefined;
}
