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

/** Source: GraphQL over HTTP, Incremental Delivery, 2022-08-24 */
export const PARTS: Omit<StreamFormat, 'heartbeat'> = {
  name: 'parts',
  contentType: 'multipart/mixed;boundary="graphql";deferSpec=20220824',
  beginning: BOUNDARY,
  next: (json) => Buffer.concat([Buffer.from(PART), json, Buffer.from(BOUNDARY)]),
  ending: '--\r\n',
};

/** How a client takes results, if not as one answer in JSON. */
export interface Accepted {
  /** Of subscriptions. */
  readonly format: StreamFormat | undefined;
  /** Whether an answer in JSON is accepted as well. */
  readonly acceptsJson: boolean;
  /** Whether queries and mutations get the format, too. Clients that also accept JSON mean the stream for subscriptions. */
  readonly isForEveryOperation: boolean;
  /** Whether deferred fragments come in parts of their own. */
  readonly hasParts: boolean;
}

/** A media type that the client does not accept. Source: RFC 9110, Quality Values */
const REFUSED = /;\s*q=0(?:\.0*)?\s*(?:;|$)/i;

/** Reads the Accept header. Returns undefined for one answer in JSON. */
export function acceptedBy(header = ''): Accepted | undefined {
  const mediaTypes = header.split(',').filter((mediaType) => !REFUSED.test(mediaType));
  const accept = mediaTypes.join();
  const format = formatIn(accept);
  const hasParts = mediaTypes.some(isOfParts);
  if (!format && !hasParts) return undefined;
  const acceptsJson = /\bapplication\/(?:json|graphql-response\+json)\b|\*\/\*/i.test(accept);
  return { format, hasParts, acceptsJson, isForEveryOperation: format === SERVER_SENT_EVENTS && !acceptsJson };
}

function formatIn(accept: string): StreamFormat | undefined {
  if (/\btext\/event-stream\b/i.test(accept)) return SERVER_SENT_EVENTS;
  return /\bmultipart\/mixed\s*;[^,]*\bsubscriptionSpec=/i.test(accept) ? MULTIPART : undefined;
}

/** Whether a media type means `PARTS`. Without a version, as urql sends it, it does. */
function isOfParts(mediaType: string): boolean {
  if (!/^\s*multipart\/mixed\b/i.test(mediaType)) return false;
  return /;\s*deferSpec="?20220824\b/i.test(mediaType) || !/Spec=/i.test(mediaType);
}
