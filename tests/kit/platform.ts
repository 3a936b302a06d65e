import { ADMIN_TOKEN, type Arrangement } from './arrangements.js';

declare global {
  /** Set by the jest project that runs the suite. */
  var ARRANGEMENT: Arrangement;
}

interface PlatformUnderTest {
  readonly url: string;
  readonly subgraphUrls: Readonly<Record<string, string>>;
}

/** Returns the running platform in the arrangement of this suite. */
export function platform(): PlatformUnderTest {
  const platforms = JSON.parse(process.env.PLATFORMS_UNDER_TEST ?? '{}') as Record<Arrangement, PlatformUnderTest>;
  return platforms[globalThis.ARRANGEMENT];
}

/** JSON without a static type; the test checks its shape. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Reply {
  readonly status: number;
  /** Parsed if it is JSON. */
  readonly body: Json;
  readonly text: string;
  readonly headers: Headers;
}

interface CallOptions {
  readonly token?: string;
  /** Sent as JSON; `rawBody` is sent unchanged. */
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The URL of another platform. */
  readonly url?: string;
}

/** Sends a request as a client does. @param target method and path, e.g. `GET /api/network/me/` */
export async function call(
  target: string,
  { token, body, rawBody, headers, url = platform().url }: CallOptions = {},
): Promise<Reply> {
  const [method = 'GET', path = '/'] = target.split(/ (.*)/s);
  const content = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(content !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Token ${token}` }),
      ...headers,
    },
    ...(content !== undefined && { body: content }),
  });
  const text = await response.text();
  return { status: response.status, body: parse(text), text, headers: response.headers };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface GraphQLCall {
  readonly token?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly url?: string;
}

/** Executes an operation at /graphql. Returns `{data, errors}`. */
export async function graphql(query: string, { token, variables, url }: GraphQLCall = {}): Promise<Json> {
  const reply = await call('POST /graphql', {
    body: { query, variables },
    ...(token !== undefined && { token }),
    ...(url !== undefined && { url }),
  });
  return reply.body;
}

/** Returns the code of the first error. */
export function codeOf({ errors }: Json): string | undefined {
  return errors?.[0]?.extensions?.code;
}

/** Executes an operation as the first superuser. @throws when it fails */
export async function asAdmin(
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  url = platform().url,
): Promise<Json> {
  const { data, errors } = await graphql(query, { token: ADMIN_TOKEN, variables, url });
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}
