import type { GraphQLError } from 'graphql';
import { namesTag } from '../../../kernel/http/entity-tags.js';
import { errorCode, STATUS_BY_CODE, type ErrorCode } from '../../../kernel/errors.js';
import { retryHeaders } from '../../engine/public-errors.js';
import { exactNumber } from './exact-numbers.js';
import type { Cookie, RestRequest, Route } from '../route.js';

/** An HTTP answer, before it is written as JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The format of answers and errors of one of the two REST APIs. */
export interface Dialect {
  readonly success: (body: unknown) => unknown;
  readonly refusal: (error: GraphQLError) => unknown;
}

/** Errors are `{error}` and the details of the error. */
export const PLATFORM_DIALECT: Dialect = {
  success: (body) => body,
  refusal: (error) => ({ error: error.message, ...detailsOf(error) }),
};

/** The error code if the resolver gave none. */
const FOLDER_ERROR_CODES = {
  BAD_REQUEST: 'invalid_manifest',
  UNAUTHENTICATED: 'unauthorized',
  PAYMENT_REQUIRED: 'insufficient_balance',
  FORBIDDEN: 'forbidden',
  NOT_FOUND: 'not_found',
  METHOD_NOT_ALLOWED: 'method_not_allowed',
  REQUEST_TIMEOUT: 'request_timeout',
  CONFLICT: 'conflict',
  PRECONDITION_FAILED: 'precondition_failed',
  PAYLOAD_TOO_LARGE: 'payload_too_large',
  RANGE_NOT_SATISFIABLE: 'range_not_satisfiable',
  RATE_LIMITED: 'rate_limited',
  INTERNAL: 'database_error',
  UNAVAILABLE: 'database_error',
} as const satisfies Record<ErrorCode, string>;

/** Answers and errors are wrapped in `{Success}` or `{Error}`. */
export const FOLDER_DIALECT: Dialect = {
  success: (body) => ({ Success: body }),
  refusal: (error) => {
    const reason = error.extensions.reason;
    const code = typeof reason === 'string' ? reason : FOLDER_ERROR_CODES[errorCode(error) ?? 'INTERNAL'];
    const { current_revision_seq: sequence, ...details } = detailsOf(error);
    const exact = sequence !== undefined && { current_revision_seq: exactNumber(sequence) };
    return { Error: { error: code, message: error.message, ...details, ...exact } };
  },
};

/** The answer for an error: status, body and headers. */
export function refusalAnswer(dialect: Dialect, error: GraphQLError, route?: Route): Answer {
  const { totalBytes } = error.extensions;
  const status = STATUS_BY_CODE[errorCode(error) ?? 'INTERNAL'];
  const headers = {
    ...retryHeaders([error]),
    ...(status === 416 && { 'content-range': `bytes */${String(totalBytes)}` }),
    ...(status === 401 && { 'www-authenticate': 'Token realm="archipelago"' }),
  };
  const more = status === 400 ? route?.badRequestFields : undefined;
  return { status, body: more ? { ...more, ...Object(dialect.refusal(error)) } : dialect.refusal(error), headers };
}

/** Extensions that are not copied into the body. */
const INTERNAL_DETAILS: ReadonlySet<string> = new Set([
  'code',
  'reason',
  'retryAfter',
  'totalBytes',
  'serviceName',
  'stacktrace',
]);

function detailsOf({ extensions }: GraphQLError): Record<string, unknown> {
  return Object.fromEntries(Object.entries(extensions).filter(([name]) => !INTERNAL_DETAILS.has(name)));
}

/** The answer for the data of an operation. Its body is the root field, with links if that is a page. */
export function successAnswer(
  route: Route,
  dialect: Dialect,
  result: { readonly data: object; readonly url: URL; readonly request: RestRequest },
): Answer {
  const status = route.status ?? 200;
  if (status === 204) return { status, body: undefined };
  const [root] = Object.values(result.data) as unknown[];
  if (route.isRedirect) return { status: 302, body: undefined, headers: redirectHeaders(route, root, result.url) };
  if (route.etag !== undefined) return versionedAnswer(route, dialect, { root: root as object, ...result });
  const body = isPage(root) ? pageBody(root, result.url) : recordBody(route, root);
  const { alsoUnwrapped } = route;
  const isUnwrapped = typeof alsoUnwrapped === 'function' ? alsoUnwrapped(result.request) : alsoUnwrapped;
  return { status, body: isUnwrapped ? { ...Object(body), ...Object(dialect.success(body)) } : dialect.success(body) };
}

/** The answer with its version as the ETag, or 304 if the client has that version. Source: RFC 9110, 13.1.2 and 15.4.5 */
function versionedAnswer(
  route: Route,
  dialect: Dialect,
  { root, request }: { readonly root: object; readonly request: RestRequest },
): Answer {
  const { [route.etag?.field ?? '']: version, ...record } = root as Readonly<Record<string, unknown>>;
  const notModified = notModifiedAnswer(request, version);
  if (notModified) return notModified;
  return {
    status: route.status ?? 200,
    body: dialect.success(recordBody(route, record)),
    headers: versionHeaders(version),
  };
}

/** 304 if the client has this version, else undefined. */
export function notModifiedAnswer(request: RestRequest, version: unknown): Answer | undefined {
  const headers = versionHeaders(version);
  return namesTag(request.headers['if-none-match'], headers.etag)
    ? { status: 304, body: undefined, headers }
    : undefined;
}

function versionHeaders(version: unknown) {
  return { etag: `"${String(version)}"`, 'cache-control': 'private, no-cache', vary: 'authorization' };
}

function redirectHeaders({ setsCookie }: Route, root: unknown, url: URL): Record<string, string> {
  const fields = (typeof root === 'object' && root !== null ? root : { location: root }) as Record<string, unknown>;
  return {
    location: String(fields.location),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    ...(setsCookie && { 'set-cookie': cookieText(setsCookie, String(fields[setsCookie.field]), url) }),
  };
}

/** SameSite=Lax: sent when the user follows a link or redirect from another site, not with its requests. Source: RFC 6265bis, 5.6.7 */
function cookieText({ name, path, maxAgeSeconds }: Cookie, value: string, url: URL): string {
  const secure = url.protocol === 'https:' ? '; Secure' : '';
  return `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

function recordBody({ flatten, isTotals }: Route, root: unknown): unknown {
  if (isTotals) return totalsBody(root as readonly Total[]);
  if (flatten === undefined || typeof root !== 'object' || root === null) return root;
  const fields = Object.entries(root).flatMap(([name, value]): [string, unknown][] =>
    name === flatten ? Object.entries(value as object) : [[name, value]],
  );
  return Object.fromEntries(fields);
}

interface Total {
  readonly kind: string;
  readonly file_count: number;
  readonly total_bytes: unknown;
}

function totalsBody(totals: readonly Total[]): object {
  return Object.fromEntries(
    totals.flatMap(({ kind, file_count: files, total_bytes: bytes }) => [
      [kind, files],
      [`${kind}_bytes`, bytes],
    ]),
  );
}

interface Page {
  readonly count: number;
  readonly page: number;
  readonly page_size: number;
  readonly results: readonly unknown[];
}

function isPage(value: unknown): value is Page {
  return typeof value === 'object' && value !== null && 'count' in value && 'page_size' in value && 'results' in value;
}

/** `{count, next, previous, results}` and the other fields of the page. */
function pageBody({ count, page, page_size: pageSize, results, ...others }: Page, url: URL): object {
  const linkTo = (target: number) => {
    const link = new URL(url);
    link.searchParams.set('page', String(target));
    return link.href;
  };
  const next = page * pageSize < count ? linkTo(page + 1) : null;
  const lastPage = Math.max(1, Math.ceil(count / pageSize));
  return { count, next, previous: page > 1 ? linkTo(Math.min(page - 1, lastPage)) : null, results, ...others };
}
