import type { ErrorCode } from '../../kernel/errors.js';
import type { SubgraphName } from '../../kernel/config/config.js';
import {
  requireBetaUser,
  requireRole,
  requireServiceRole,
  requireSignedIn,
  requireUser,
  type Role,
  type Viewer,
} from '../../kernel/security/viewer.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A documented path and the operation or download that serves it. */
export interface Route extends RouteDetails {
  readonly method: Method;
  /** As documented, `{name}` for a parameter. */
  readonly path: string;
  /** Absent for downloads. */
  readonly operation?: string | OperationChoice;
  /** The answer is a stream of bytes. Its parameters are the path, the query, `headers`, and the Range header as `range`. */
  readonly download?: Download;
  readonly access: Access;
}

/** A line of the route table: method, path, operation or download, access, exceptions from the defaults. */
export type RouteRow = readonly [
  method: Method,
  path: string,
  source: string | OperationChoice | Download,
  access: Access,
  details?: RouteDetails,
];

/** What a route can do differently. Most routes have none of it. */
export interface RouteDetails {
  /** The status of a successful answer. Default: 200. */
  readonly status?: 200 | 201 | 202 | 204;

  // Who may call it.

  /** Reads the SS58 address of the owner, as far as possible. Another caller is refused with 403, also when the rest of the request is invalid. */
  readonly ownerOf?: (request: RestRequest) => unknown;
  /** An operation that checks access. Its FORBIDDEN and NOT_FOUND precede the 400 of an invalid request. */
  readonly accessCheck?: string;

  // Where variables come from. Default: the field of that name in the path, the query or the JSON body.

  /** Other names that clients use for a field of query or body, with its name. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Header name by variable. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Cookie name by variable. */
  readonly cookies?: Readonly<Record<string, string>>;
  /** The variable that receives the unparsed body as text, for signatures of its bytes. */
  readonly rawBody?: string;
  /** The variable of type Upload that receives the body as a stream. */
  readonly streamedBody?: string;
  /** The body is one of these multipart forms. The name of its first part decides which one. */
  readonly forms?: readonly Form[];

  // How the request is checked.

  /** Replaces the usual limit of the body. */
  readonly maxBodyBytes?: number;
  /** Unknown fields of the body are refused. */
  readonly isStrict?: true;
  /** Variables that the documentation calls required, although the operation has a default: the subgraph refuses their absence in its own order. */
  readonly required?: readonly string[];
  /** Variables of type Int64 that are documented as unsigned 64-bit numbers. */
  readonly unsigned?: readonly string[];
  /** Also served with an empty last parameter, which the operation refuses with the documented error. */
  readonly allowsEmptyLastParameter?: true;

  // How the answer is written. Default: the root field of the operation.

  /** A field that holds an object, whose fields move up into the answer. */
  readonly flatten?: string;
  /** Fields that are left out when they are null, at any depth. */
  readonly omitNull?: readonly string[];
  /** A list of totals `{kind, file_count, total_bytes}` is answered as fields `<kind>` and `<kind>_bytes`. */
  readonly isTotals?: true;
  /** The fields of the answer also stand outside the `Success` envelope. */
  readonly alsoUnwrapped?: true | ((request: RestRequest) => boolean);
  /** Fields that a 400 has beside the message. */
  readonly badRequestFields?: Readonly<Record<string, string>>;
  readonly etag?: EntityTag;
  /** The answer, or its field `location`, is a URL to which the client is redirected. */
  readonly isRedirect?: true;
  /** A field of the answer that is sent as a cookie and not to scripts. */
  readonly setsCookie?: Cookie;
}

/** An operation that depends on the request. */
export interface OperationChoice {
  /** All operations that can be chosen. */
  readonly operations: readonly string[];
  readonly choose: (request: RestRequest) => string;
}

/** The parts of a request that a route can read. */
export interface RestRequest {
  readonly viewer: Viewer;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A multipart form: a text part, then a file part. */
export interface Form {
  /** The name of the first part, and of the variable that receives its text. */
  readonly textPart: string;
  /** The text is JSON. */
  readonly isJson?: true;
  /** The name of the second part, and of the variable of type Upload that receives its bytes. */
  readonly filePart: string;
  /** The variable that receives the name of the file. */
  readonly fileName?: string;
}

/** A stream of bytes that a subgraph provides. */
export interface Download {
  readonly subgraph: SubgraphName;
  /** A key of `bytes` in the manifest of the subgraph. */
  readonly name: string;
  /** For the OpenAPI document, which adds the errors. */
  readonly description: string;
  /** The documented errors, with their condition or reason; '' for none. */
  readonly errors?: Partial<Readonly<Record<ErrorCode, string>>>;
  /** Headers of the answer, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields of the query, with their descriptions. */
  readonly query?: Readonly<Record<string, string>>;
  /** The content is text and has no ranges. */
  readonly isText?: true;
  /** The answer can wait for a change (long polling). It ends when the platform stops. */
  readonly isLongPoll?: true;
}

/** How the version of an answer becomes its ETag. */
export interface EntityTag {
  /** The field with the version. It is sent as the ETag only. */
  readonly field: string;
  /** An operation that returns only the version, for requests with If-None-Match. */
  readonly operation: string;
}

/** A cookie that an answer sets. */
export interface Cookie {
  readonly name: string;
  /** The field of the answer with its value. */
  readonly field: string;
  /** The browser sends it back below this path only. */
  readonly path: string;
  readonly maxAgeSeconds: number;
}

/** Who may call a route. The operation checks it again. */
export type Access =
  | keyof typeof ACCESS_CHECKS
  /** Users and services with one of these roles. */
  | { readonly roles: readonly Role[] }
  /** Services with one of these roles. */
  | { readonly serviceRoles: readonly Role[] };

const ACCESS_CHECKS = {
  /** No token is read. */
  public: undefined,
  /** A token that is sent must be valid. */
  'optional token': undefined,
  /** Users and services. */
  'any token': requireSignedIn,
  user: requireUser,
  'beta user': requireBetaUser,
  /** A user with a private network. Others are refused with 403 before 400, see `accessCheck`. */
  tenant: requireUser,
} as const satisfies Record<string, ((viewer: Viewer) => unknown) | undefined>;

/** Refuses viewers without access to the route. @throws UNAUTHENTICATED, FORBIDDEN */
export function requireAccess({ access }: Route, viewer: Viewer): void {
  if (typeof access === 'string') ACCESS_CHECKS[access]?.(viewer);
  else if ('roles' in access) requireRole(viewer, ...access.roles);
  else requireServiceRole(viewer, ...access.serviceRoles);
}

/** The route that a line of the table describes. */
export function routeOf([method, path, source, access, details]: RouteRow): Route {
  const isDownload = typeof source === 'object' && 'subgraph' in source;
  return { method, path, access, ...(isDownload ? { download: source } : { operation: source }), ...details };
}

/** The operations that can serve the route. */
export function operationsOf({ operation }: Route): readonly string[] {
  if (operation === undefined) return [];
  return typeof operation === 'string' ? [operation] : operation.operations;
}
