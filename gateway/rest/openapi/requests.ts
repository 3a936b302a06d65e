import {
  isInputObjectType,
  isNonNullType,
  Kind,
  getNamedType,
  TypeInfo,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';
import { described, objectShape, orNull, type JsonSchema, type Shapes } from './shapes.js';
import type { Form, Route } from '../route.js';
import { variableSpecs, type VariableSpec } from '../interpreter/variables.js';

/** A GraphQL variable with what the OpenAPI document says about it. */
interface RequestVariable extends VariableSpec {
  readonly description: string | undefined;
  readonly isRequired: boolean;
  readonly default: unknown;
}

/** The parameters and the body of a route, from the variables of its operations. */
export function requestOf(
  { schema, shapes }: { readonly schema: GraphQLSchema; readonly shapes: Shapes },
  route: Route,
  operations: readonly OperationDefinitionNode[],
): { readonly parameters?: readonly object[]; readonly requestBody?: object } {
  const variables = merged(operations.map((operation) => variablesOf(schema, operation, route)));
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const { headers = {}, cookies = {} } = route;
  const isElsewhere = (name: string) => inPath.includes(name) || name in headers || name in cookies;
  const others = [...variables.values()].filter(({ name }) => !isElsewhere(name));
  const parameters = inPath.map((name) => pathParameter(shapes, name, variables.get(name)));
  parameters.push(
    ...Object.entries(headers).map(([name, header]) => headerParameter(header, headerUse(route, variables, name))),
  );
  for (const [name, cookie] of Object.entries(cookies))
    parameters.push(
      described(
        { name: cookie, in: 'cookie', required: false, schema: { type: 'string' } },
        variables.get(name)?.description,
      ),
    );
  if (route.method === 'GET') parameters.push(...others.map((variable) => queryParameter(shapes, variable)));
  return {
    ...(parameters.length > 0 && { parameters }),
    ...(route.method !== 'GET' && others.length > 0 && { requestBody: body(shapes, route, others) }),
  };
}

/** A variable is required if all operations of the route require it. */
function merged(lists: readonly (readonly RequestVariable[])[]): Map<string, RequestVariable> {
  const byName = new Map<string, RequestVariable>();
  for (const variable of lists.flat()) {
    const isRequired = lists.every((list) => list.some((other) => other.name === variable.name && other.isRequired));
    byName.set(variable.name, { ...(byName.get(variable.name) ?? variable), isRequired });
  }
  return byName;
}

function variablesOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  { required = [] }: Route,
): RequestVariable[] {
  const descriptions = variableDescriptions(schema, operation);
  const definitions = operation.variableDefinitions ?? [];
  return variableSpecs(schema, operation).map((spec, i) => {
    const isNeeded = required.includes(spec.name);
    const preset = isNeeded ? undefined : definitions[i]?.defaultValue;
    return {
      ...spec,
      description: descriptions.get(spec.name),
      isRequired: isNeeded || (isNonNullType(spec.type) && !preset),
      default: preset && valueFromASTUntyped(preset),
    };
  });
}

/** The descriptions of variables: those of their arguments or input fields in the SDL. */
function variableDescriptions(schema: GraphQLSchema, operation: OperationDefinitionNode): Map<string, string> {
  const descriptions = new Map<string, string>();
  const note = (value: ValueNode, description: string | null | undefined) => {
    if (value.kind === Kind.VARIABLE && description) descriptions.set(value.name.value, description);
  };
  const info = new TypeInfo(schema);
  visit(
    operation,
    visitWithTypeInfo(info, {
      Argument: ({ value }) => note(value, info.getArgument()?.description),
      ObjectField: ({ name, value }) => {
        const parent = getNamedType(info.getParentInputType());
        if (isInputObjectType(parent)) note(value, parent.getFields()[name.value]?.description);
      },
    }),
  );
  return descriptions;
}

function pathParameter(shapes: Shapes, name: string, variable: RequestVariable | undefined): object {
  const schema = variable ? shapes.input(variable.type) : { type: 'string' };
  return described({ name, in: 'path', required: true, schema }, variable?.description);
}

/** Descriptions of headers without a variable. */
const HEADERS: Readonly<Record<string, { readonly name: string; readonly description: string }>> = {
  'if-none-match': {
    name: 'If-None-Match',
    description: 'ETag of the copy that the client has. The answer is 304 if it is still current.',
  },
  'peer-token': { name: 'Peer-Token', description: 'The token that the machine received when it joined.' },
};

/** A download has headers without variables. */
function headerUse({ required = [] }: Route, variables: ReadonlyMap<string, RequestVariable>, name: string): HeaderUse {
  return variables.get(name) ?? { isRequired: required.includes(name) };
}

type HeaderUse = Pick<RequestVariable, 'isRequired'> & { readonly description?: string | undefined };

/** The parameter of a header, which is given in lower case. */
export function headerParameter(header: string, { isRequired: required, description }: HeaderUse): object {
  const known = HEADERS[header];
  const parameter = { name: known?.name ?? header, in: 'header', required, schema: { type: 'string' } };
  return described(parameter, description ?? known?.description);
}

function queryParameter(shapes: Shapes, variable: RequestVariable): object {
  const { name, isRequired: required, description } = variable;
  return described(
    { name, in: 'query', required, schema: withDefault(shapes.input(variable.type), variable) },
    description,
  );
}

function body(shapes: Shapes, route: Route, variables: readonly RequestVariable[]): object {
  const { aliases = {}, streamedBody, forms, rawBody } = route;
  if (rawBody !== undefined) return requiredBody('application/json', RAW);
  if (streamedBody !== undefined) return requiredBody('application/octet-stream', BINARY);
  if (forms) return requiredBody('multipart/form-data', formsShape(shapes, forms, variables));
  const properties = variables.map((variable) => {
    const shape = shapes.input(variable.type);
    const accepted = Object.keys(aliases).filter((alias) => aliases[alias] === variable.name);
    const text = [variable.description, ...accepted.map((alias) => `Also accepted as \`${alias}\`.`)]
      .filter(Boolean)
      .join(' ');
    return [
      variable.name,
      described(withDefault(variable.isRequired ? shape : orNull(shape), variable), text),
    ] as const;
  });
  const required = variables.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const schema = objectShape(properties, required);
  return { required: required.length > 0, content: { 'application/json': { schema } } };
}

function requiredBody(mediaType: string, schema: JsonSchema): object {
  return { required: true, content: { [mediaType]: { schema } } };
}

const RAW: JsonSchema = {
  type: 'object',
  description: 'The unmodified event of the payment processor; its signature covers these bytes.',
  examples: [{ id: 'evt_1' }],
};

const BINARY: JsonSchema = { type: 'string', format: 'binary' };

function formsShape(shapes: Shapes, forms: readonly Form[], variables: readonly RequestVariable[]): JsonSchema {
  const shapeOf = ({ textPart, filePart }: Form): JsonSchema => {
    const variable = variables.find(({ name }) => name === textPart);
    const shape = variable ? shapes.input(variable.type) : { type: 'string' };
    return objectShape(
      [
        [textPart, shape],
        [filePart, BINARY],
      ],
      [textPart, filePart],
    );
  };
  return { anyOf: forms.map(shapeOf) };
}

function withDefault(shape: JsonSchema, variable: RequestVariable): JsonSchema {
  return variable.default === undefined ? shape : { ...shape, default: variable.default };
}
