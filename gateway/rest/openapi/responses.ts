import {
  isCompositeType,
  isNonNullType,
  Kind,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { STATUS_BY_CODE, type ErrorCode } from '../../../kernel/errors.js';
import { fieldsShape, objectShape, type AnswerField, type JsonSchema, type Shapes } from './shapes.js';
import type { Access, Route } from '../route.js';

/** The JSON schemas of answers and errors in a `Dialect`. */
export interface DialectSchemas {
  readonly success: (shape: JsonSchema) => JsonSchema;
  /** The component of errors. */
  readonly refusal: readonly [name: string, shape: JsonSchema];
}

const MESSAGE: JsonSchema = { type: 'string', description: 'The error message, one sentence.' };

export const PLATFORM_SCHEMAS: DialectSchemas = {
  success: (shape) => shape,
  refusal: ['PlatformRefusal', objectShape([['error', MESSAGE]], ['error'])],
};

const FOLDER_REFUSAL = objectShape(
  [
    ['error', { type: 'string', description: 'The error code, e.g. `not_found`.' }],
    ['message', MESSAGE],
  ],
  ['error', 'message'],
);

export const FOLDER_SCHEMAS: DialectSchemas = {
  success: (shape) => objectShape([['Success', shape]], ['Success']),
  refusal: ['FolderRefusal', objectShape([['Error', FOLDER_REFUSAL]], ['Error'])],
};

const ETAG_DESCRIPTION =
  'The version of the answer. Send it as `If-None-Match` to receive 304 while nothing has changed.';

export const ERROR_DESCRIPTIONS = {
  BAD_REQUEST: 'A field is missing, malformed or not allowed.',
  UNAUTHENTICATED: 'Missing or invalid credentials.',
  PAYMENT_REQUIRED: 'The balance has too few credits.',
  FORBIDDEN: 'The caller does not have permission, or does not have it yet.',
  NOT_FOUND: 'The resource does not exist, or belongs to another user.',
  METHOD_NOT_ALLOWED: 'The path does not support this method.',
  REQUEST_TIMEOUT: 'The body did not arrive in time.',
  CONFLICT: 'The current state of the resource does not allow this.',
  PRECONDITION_FAILED: 'No version that `If-Match` names is current.',
  PAYLOAD_TOO_LARGE: 'The body is too large.',
  RANGE_NOT_SATISFIABLE: 'The range starts after the end; `Content-Range` has the total length.',
  RATE_LIMITED: 'Too many requests; `Retry-After` has the seconds to wait.',
  INTERNAL: 'An internal error.',
  UNAVAILABLE: 'A part of the platform is not available at the moment.',
} as const satisfies Record<ErrorCode, string>;

export interface ServedRoute {
  readonly route: Route;
  readonly dialect: DialectSchemas;
  readonly operations: readonly OperationDefinitionNode[];
  readonly hasBody: boolean;
}

interface Source {
  readonly schema: GraphQLSchema;
  readonly shapes: Shapes;
}

/** The responses of a route by status: success, then the documented errors. */
export function responsesOf(source: Source, served: ServedRoute): object {
  const { route, dialect, operations } = served;
  const [refusalName, refusalShape] = dialect.refusal;
  const schema = source.shapes.component(refusalName, () => refusalShape);
  const content = { 'application/json': { schema } };
  const codes = refusalCodes(source.schema, served);
  const refusals = codes.map(
    (code) => [STATUS_BY_CODE[code], { description: ERROR_DESCRIPTIONS[code], content }] as const,
  );
  const shapes = operations.map((operation) => answerShape(source, route, operation));
  const etag = route.etag && { headers: { ETag: { description: ETAG_DESCRIPTION, schema: { type: 'string' } } } };
  return {
    ...(route.isRedirect ? REDIRECT : { [route.status ?? 200]: { ...done(served, shapes), ...etag } }),
    ...(etag && { 304: { description: 'Not modified: the ETag in `If-None-Match` is current.', ...etag } }),
    ...Object.fromEntries(refusals),
    default: { description: 'Any other error.', content },
  };
}

const REDIRECT = {
  302: {
    description: 'Redirects the browser.',
    headers: { Location: { description: 'The address of the redirect.', schema: { type: 'string', format: 'uri' } } },
  },
};

function done({ route, dialect }: ServedRoute, shapes: readonly JsonSchema[]): object {
  if (route.status === 204) return { description: 'Success.' };
  const [only = {}] = shapes;
  const wrapped = dialect.success(shapes.length > 1 ? { anyOf: shapes } : only);
  const schema = route.alsoUnwrapped === true ? { allOf: [only, wrapped] } : wrapped;
  return { description: 'Success.', content: { 'application/json': { schema } } };
}

/** Access without 403 for a valid token. */
const UNRESTRICTED: ReadonlySet<Access> = new Set(['public', 'optional token', 'any token'] as const);

/** Errors that every route documents; routes with a body have two more. */
const ANY_CODES: ReadonlySet<ErrorCode> = new Set(['BAD_REQUEST']);
const WITH_BODY_CODES: ReadonlySet<ErrorCode> = new Set(['BAD_REQUEST', 'REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE']);

function refusalCodes(schema: GraphQLSchema, { route, dialect, operations, hasBody }: ServedRoute): ErrorCode[] {
  const text = operations.map((operation) => rootField(schema, operation).definition.description ?? '').join(' ');
  const codes = Object.keys(STATUS_BY_CODE) as ErrorCode[];
  const always = hasBody ? WITH_BODY_CODES : ANY_CODES;
  return codes.filter((code) => {
    if (code === 'UNAUTHENTICATED' && route.access !== 'public') return true;
    if (code === 'FORBIDDEN' && !UNRESTRICTED.has(route.access)) return true;
    if (always.has(code)) return true;
    if (code === 'INTERNAL' && dialect === FOLDER_SCHEMAS) return true;
    return new RegExp(`\\b${code}\\b`).test(text);
  });
}

/** The root field of an operation. @throws if the schema does not have it */
export function rootField(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): { readonly node: FieldNode; readonly definition: GraphQLField<unknown, unknown> } {
  const [node] = operation.selectionSet.selections;
  const type = schema.getRootType(operation.operation);
  const definition = node?.kind === Kind.FIELD ? type?.getFields()[node.name.value] : undefined;
  if (node?.kind !== Kind.FIELD || !definition)
    throw new Error('a REST operation must begin with a field of its root type');
  return { node, definition };
}

/** The schema of the body that `successAnswer` writes, without the envelope. */
function answerShape({ schema, shapes }: Source, route: Route, operation: OperationDefinitionNode): JsonSchema {
  const { node, definition } = rootField(schema, operation);
  const type = isNonNullType(definition.type) ? definition.type.ofType : definition.type;
  const { flatten, etag, omitNull = [], isTotals } = route;
  if (isTotals) return TOTALS;
  const ownShapes = shapes.omitting(omitNull);
  if (!node.selectionSet || !isCompositeType(type)) return ownShapes.output(definition.type, node.selectionSet);
  if (isPage(node)) return pageShape(shapes.fields(type, node.selectionSet));
  if (ownShapes === shapes && flatten === undefined && etag === undefined)
    return shapes.output(definition.type, node.selectionSet);
  const fields = ownShapes.fields(type, node.selectionSet).filter(({ name }) => name !== etag?.field);
  return fieldsShape(fields.flatMap((field) => (field.name === flatten ? field.fields : [field])));
}

/** The schema of what `totalsBody` writes. */
const TOTALS: JsonSchema = {
  type: 'object',
  description:
    'Two fields for each kind: `<kind>` is the number of files, `<kind>_bytes` their total size before encryption.',
  additionalProperties: { type: 'integer', format: 'uint64', minimum: 0 },
};

const PAGE_FIELDS: ReadonlySet<string> = new Set(['count', 'page', 'page_size', 'results']);

function isPage({ selectionSet }: FieldNode): boolean {
  const names = selectionSet?.selections.map((field) => (field.kind === Kind.FIELD ? field.name.value : ''));
  return ['count', 'pageSize', 'results'].every((name) => names?.includes(name));
}

function pageShape(fields: readonly AnswerField[]): JsonSchema {
  const shapeOf = (name: string): JsonSchema => fields.find((field) => field.name === name)?.shape ?? {};
  const beside = fields.filter(({ name }) => !PAGE_FIELDS.has(name));
  const link = { type: ['string', 'null'], format: 'uri' };
  const properties = [
    ['count', shapeOf('count')],
    ['next', { ...link, description: 'The next page; null on the last.' }],
    ['previous', { ...link, description: 'The previous page; null on the first.' }],
    ['results', shapeOf('results')],
    ...beside.map(({ name, shape }) => [name, shape] as const),
  ] as const;
  return objectShape(
    properties,
    properties.map(([name]) => name),
  );
}
