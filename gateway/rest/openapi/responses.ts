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
import type { Route } from '../route.js';

/** How one of the two documents wraps its answers and words its refusals. */
export interface AnswerStyle {
  readonly success: (shape: JsonSchema) => JsonSchema;
  /** Name and shape of the component for refusals. */
  readonly refusal: readonly [name: string, shape: JsonSchema];
}

const SENTENCE: JsonSchema = { type: 'string', description: 'A sentence for the caller.' };

export const PLATFORM_STYLE: AnswerStyle = {
  success: (shape) => shape,
  refusal: ['PlatformRefusal', objectShape([['error', SENTENCE]], ['error'])],
};

const FOLDER_REFUSAL = objectShape(
  [
    ['error', { type: 'string', description: 'A word that names the cause, e.g. `not_found`.' }],
    ['message', SENTENCE],
  ],
  ['error', 'message'],
);

export const FOLDER_STYLE: AnswerStyle = {
  success: (shape) => objectShape([['Success', shape]], ['Success']),
  refusal: ['FolderRefusal', objectShape([['Error', FOLDER_REFUSAL]], ['Error'])],
};

const STATE = 'Names the state of the answer: sent back as `If-None-Match`, nothing that is known is sent again.';

export const PHRASES = {
  BAD_REQUEST: 'A field is missing, malformed or refused.',
  UNAUTHENTICATED: 'There is no valid token, or what should prove who asks does not.',
  PAYMENT_REQUIRED: 'There are not enough credits.',
  FORBIDDEN: 'The caller may not do this, or not yet.',
  NOT_FOUND: 'There is no such thing, or it is not the caller’s.',
  METHOD_NOT_ALLOWED: 'The path is served with other methods.',
  REQUEST_TIMEOUT: 'The body did not come in time.',
  CONFLICT: 'It cannot be done as things stand.',
  PAYLOAD_TOO_LARGE: 'The body is too large.',
  RANGE_NOT_SATISFIABLE: 'The range lies past the end; `Content-Range` tells the whole length.',
  RATE_LIMITED: 'Too many requests; `Retry-After` says when to try again.',
  INTERNAL: 'Something went wrong on our side.',
  UNAVAILABLE: 'A part of the platform cannot be reached just now.',
} as const satisfies Record<ErrorCode, string>;

export interface ServedRoute {
  readonly route: Route;
  readonly style: AnswerStyle;
  readonly operations: readonly OperationDefinitionNode[];
  readonly hasBody: boolean;
}

interface Source {
  readonly schema: GraphQLSchema;
  readonly shapes: Shapes;
}

/** The answers of a route by status: success first, then each refusal that is to be expected. */
export function responsesOf(source: Source, served: ServedRoute): object {
  const { route, style, operations } = served;
  const [refusalName, refusalShape] = style.refusal;
  const schema = source.shapes.component(refusalName, () => refusalShape);
  const content = { 'application/json': { schema } };
  const codes = refusalCodes(source.schema, served);
  const refusals = codes.map((code) => [STATUS_BY_CODE[code], { description: PHRASES[code], content }] as const);
  const shapes = operations.map((operation) => answerShape(source, route, operation));
  const told = route.etag && { headers: { ETag: { description: STATE, schema: { type: 'string' } } } };
  return {
    ...(route.isRedirect ? REDIRECT : { [route.status ?? 200]: { ...done(served, shapes), ...told } }),
    ...(told && { 304: { description: 'The state that `If-None-Match` names is the present one.', ...told } }),
    ...Object.fromEntries(refusals),
    default: { description: 'Any other refusal.', content },
  };
}

/** Where the browser goes on. */
const REDIRECT = {
  302: {
    description: 'The browser is sent on.',
    headers: { Location: { description: 'Where to.', schema: { type: 'string', format: 'uri' } } },
  },
};

function done({ route, style }: ServedRoute, shapes: readonly JsonSchema[]): object {
  if (route.status === 204) return { description: 'Done.' };
  const [only = {}] = shapes;
  const wrapped = style.success(shapes.length > 1 ? { anyOf: shapes } : only);
  const schema = route.isFlat === true ? { allOf: [only, wrapped] } : wrapped;
  return { description: 'Done as asked.', content: { 'application/json': { schema } } };
}

/** Headers that no request may have are refused everywhere; bodies before they are looked at. */
const ANY_CODES: ReadonlySet<ErrorCode> = new Set(['BAD_REQUEST']);
const WITH_BODY_CODES: ReadonlySet<ErrorCode> = new Set(['BAD_REQUEST', 'REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE']);

function refusalCodes(schema: GraphQLSchema, { route, style, operations, hasBody }: ServedRoute): ErrorCode[] {
  const text = operations.map((operation) => rootField(schema, operation).definition.description ?? '').join(' ');
  const codes = Object.keys(STATUS_BY_CODE) as ErrorCode[];
  const always = hasBody ? WITH_BODY_CODES : ANY_CODES;
  return codes.filter((code) => {
    if (code === 'UNAUTHENTICATED' && !route.isPublic) return true;
    if (code === 'FORBIDDEN' && route.admits !== undefined && route.admits !== 'anyone') return true;
    if (always.has(code)) return true;
    if (code === 'INTERNAL' && style === FOLDER_STYLE) return true;
    return new RegExp(`\\b${code}\\b`).test(text);
  });
}

/** The root field that serves an operation. @throws when the schema has no such field */
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

/** The body that `successAnswer` makes of the operation's data, before the document's wrapping. */
function answerShape({ schema, shapes }: Source, route: Route, operation: OperationDefinitionNode): JsonSchema {
  const { node, definition } = rootField(schema, operation);
  const type = isNonNullType(definition.type) ? definition.type.ofType : definition.type;
  const { lift, etag, omitNull = [], isTotals } = route;
  if (isTotals) return TOTALS;
  const told = shapes.omitting(omitNull);
  if (!node.selectionSet || !isCompositeType(type)) return told.output(definition.type, node.selectionSet);
  if (isPage(node)) return pageShape(shapes.fields(type, node.selectionSet));
  if (told === shapes && lift === undefined && etag === undefined)
    return shapes.output(definition.type, node.selectionSet);
  const beside = told.fields(type, node.selectionSet).filter(({ name }) => name !== etag?.field);
  return fieldsShape(beside.flatMap((field) => (field.name === lift ? field.inside : [field])));
}

/** What `totalsBody` answers. */
const TOTALS: JsonSchema = {
  type: 'object',
  description:
    'Two fields for each kind: `<kind>` counts its files, `<kind>_bytes` adds up their bytes before encryption.',
  additionalProperties: { type: 'integer', format: 'uint64', minimum: 0 },
};

const PAGE_FIELDS: ReadonlySet<string> = new Set(['count', 'page', 'pageSize', 'results']);

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
    ['previous', { ...link, description: 'The page before; null on the first.' }],
    ['results', shapeOf('results')],
    ...beside.map(({ name, shape }) => [name, shape] as const),
  ] as const;
  return objectShape(
    properties,
    properties.map(([name]) => name),
  );
}
