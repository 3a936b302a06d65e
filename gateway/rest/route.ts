import type { SubgraphName } from '../../kernel/config/config.js';
import {
  requireBetaUser,
  requireRole,
  requireServiceRole,
  requireSignedIn,
  requireUser,
  type Role,
  type Viewer,
} from '../../kernel/viewer.js';

/** What a route sees of a request. */
export interface RestRequest {
  readonly viewer: Viewer;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A cookie that an answer leaves with the browser. */
export interface Cookie {
  readonly name: string;
  readonly field: string;
  /** Sent back below this path only. */
  readonly path: string;
  readonly maxAgeSeconds: number;
}

/** A form that a body may be: a text first, then a file. */
export interface Form {
  /** Name of the first part, and of the variable for its text. */
  readonly first: string;
  /** The text is JSON. */
  readonly isJson?: true;
  /** Name of the part that is a file, and of the variable for its bytes. */
  readonly file: string;
  /** The variable for the file's name, where that counts. */
  readonly fileName?: string;
}

/** What a subgraph gives as bytes. */
export interface Download {
  readonly subgraph: SubgraphName;
  /** Of the manifest's `bytes`. */
  readonly name: string;
  /** For the documentation; names refusals by their codes. */
  readonly description: string;
  /** What an answer tells by its headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields of the query that count, described. */
  readonly query?: Readonly<Record<string, string>>;
  /** A text, given whole; with an ETag where the headers tell of one. */
  readonly isText?: true;
  /** The answer may wait for a change; when the platform stops it waits no longer. */
  readonly waits?: true;
}

/** How the state of an answer is named. */
export interface NamedState {
  /** The field of the answer that names its state: sent as the ETag instead. */
  readonly field: string;
  /** An operation that answers the name alone, asked first for whoever sends one. */
  readonly operation: string;
}

/** Any of these roles, of users and services alike, or of services only. */
type RolesNeeded = { readonly roles: readonly Role[] } | { readonly serviceRoles: readonly Role[] };

/** A documented path and the named operation that serves it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As documented, `{name}` for a parameter. */
  readonly path: string;
  /** Absent where bytes are answered. */
  readonly operation?: string | ((request: RestRequest) => string);
  /** All that `operation` may choose from, where it chooses. */
  readonly operations?: readonly string[];
  /** Of the answer that is no refusal; 200 unless it says otherwise. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Served without a token; one that is sent is not looked at. */
  readonly isPublic?: true;
  /** Who is let in; all who are signed in unless it says otherwise. Of anyone, a token that is sent must be valid. The operation checks it again. */
  readonly admits?: 'anyone' | 'users' | 'beta users' | RolesNeeded;
  /** The SS58 address whose files the request is about, as far as it can be read: a request that is wrong in other ways too is first forbidden to others. */
  readonly owner?: (request: RestRequest) => unknown;
  /** An operation by which who may not is refused, before a request that cannot be read is. */
  readonly gate?: string;
  /** Fields of 64 bits without a sign, where the operation's type has one: they are refused with their own range. */
  readonly unsigned?: readonly string[];
  /** Also served with nothing in place of the last parameter, whose own rule then refuses it. */
  readonly lastMayBeEmpty?: true;
  /** The body as it came, by the name of a variable, where its very bytes count. */
  readonly rawBody?: string;
  /** The body as it comes, by the name of a variable of the scalar Upload. */
  readonly bytes?: string;
  /** The body is one of these forms, told by the name of its first part. */
  readonly forms?: readonly Form[];
  /** Bytes are answered: path, query and `headers` are the parameters, with the Range header as `range`. */
  readonly download?: Download;
  /** Bytes that the body may have, where the usual limit is too low. */
  readonly mostBodyBytes?: number;
  /** Headers by the names of the variables that take them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Variables that have to be sent although the operation has a default for them: what answers refuses their absence in its own order. */
  readonly required?: readonly string[];
  /** Cookies by the names of the variables that take them. */
  readonly cookies?: Readonly<Record<string, string>>;
  /** The field of the answer that the browser keeps as a cookie; scripts never see it. */
  readonly setsCookie?: Cookie;
  /** Unknown fields of the body are refused. Source: "no other properties" */
  readonly isStrict?: true;
  /** The answer, or its field `location`, is an address, and the client is sent there. */
  readonly isRedirect?: true;
  /** Other names that clients use for a field of query or body. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The field of the answer whose own fields stand beside it instead. */
  readonly lift?: string;
  /** Fields that a 400 carries beside the sentence. */
  readonly badRequestFields?: Readonly<Record<string, string>>;
  /** Fields left out when they are null, of the answer and of the records in it and in its lists. */
  readonly omitNull?: readonly string[];
  /** Who has the state of the answer already is answered 304. */
  readonly etag?: NamedState;
  /** The answer's fields stand beside `Success` too, for clients that look for them there. Source: decisions, Folder sync */
  readonly isFlat?: true | ((request: RestRequest) => boolean);
  /** A list of totals `{kind, fileCount, totalBytes}` is answered as fields `<kind>` and `<kind>_bytes`. */
  readonly isTotals?: true;
}

/** Refuses whom the route does not admit: UNAUTHENTICATED, FORBIDDEN. */
export function admitTo({ isPublic, admits }: Route, viewer: Viewer): void {
  if (isPublic || admits === 'anyone') return;
  if (admits === undefined) requireSignedIn(viewer);
  else if (admits === 'users') requireUser(viewer);
  else if (admits === 'beta users') requireBetaUser(viewer);
  else if ('roles' in admits) requireRole(viewer, ...admits.roles);
  else requireServiceRole(viewer, ...admits.serviceRoles);
}

/** The operations that may serve the route. */
export function operationsOf({ operation, operations }: Route): readonly string[] {
  if (typeof operation === 'string') return [operation];
  return operations ?? [];
}
