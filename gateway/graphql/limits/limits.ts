import {
  getIntrospectionQuery,
  getOperationAST,
  Kind,
  parse,
  type ASTVisitor,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { badRequest } from '../../../kernel/errors.js';
import { isStorable, unstorable } from '../../../kernel/scalars/text.js';
import type { Variables } from '../../engine/execution.js';
import { CLASH_PREFIX } from '../../engine/operation/aliases.js';
import { CostEstimator } from './cost.js';
import { SchemaListLengths } from './schema-lists.js';

/** Maximum number of tokens of a document; the parser stops there. */
export const MAX_TOKENS = 2_000;

/** Maximum characters of an alias and of a label of `@defer`: a response repeats them for each object. */
const MAX_NAME_LENGTH = 128;

/** Limits of one operation. */
const LIMITS = { depth: 12, aliases: 30, rootFields: 20, directives: 20, cost: 5_000 } as const;

/** The limit of introspection, relative to the cost of the full introspection query. */
const INTROSPECTION_FACTOR = 1.5;

/** The full introspection query of usual clients. */
const FULL_INTROSPECTION_QUERY = getIntrospectionQuery({
  descriptions: true,
  schemaDescription: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  inputValueDeprecation: true,
  oneOf: true,
});

/** Creates the validation rule that refuses operations above the limits. */
export function limitOperations(schema: GraphQLSchema): ValidationRule {
  const lists = new SchemaListLengths(schema);
  const limits = { ...LIMITS, introspection: Math.ceil(INTROSPECTION_FACTOR * costOfFullIntrospection(schema, lists)) };
  return (context) => {
    const estimator = new CostEstimator(schema, lists, (name) => context.getFragment(name));
    return {
      ...refuseNames(context),
      StringValue({ value }) {
        if (!isStorable(value)) context.reportError(badRequest(unstorable('A text')));
      },
      OperationDefinition(operation) {
        const { fields, ...estimate } = estimator.operation(operation.selectionSet, context.getType() ?? undefined);
        const directives = estimate.directives + (operation.directives?.length ?? 0);
        for (const [measure, count] of Object.entries({ ...estimate, directives, rootFields: fields })) {
          const limit = limits[measure as keyof typeof limits];
          if (count > limit) context.reportError(limitExceeded(measure, Math.ceil(count), limit));
        }
      },
    };
  };
}

/** Checks the values of the variables of an operation. @throws BAD_REQUEST above the limit of the cost */
type CheckValues = (values: Variables) => void;

/**
 * Creates the function that returns the check of a valid operation; undefined if no variable sets the length of a list. The
 * rule above takes such lists to be as long as by default.
 */
export function limitValues(
  schema: GraphQLSchema,
): (document: DocumentNode, operationName: string | undefined) => CheckValues | undefined {
  const lists = new SchemaListLengths(schema);
  return (document, operationName) => {
    const operation = getOperationAST(document, operationName);
    const type = operation && schema.getRootType(operation.operation);
    if (!type) return undefined;
    const fragments = new Map(
      document.definitions.flatMap((node) =>
        node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
      ),
    );
    const estimatorWith = (values: Variables) =>
      new CostEstimator(schema, lists, (name) => fragments.get(name), values);
    const assumed = estimatorWith({});
    assumed.operation(operation.selectionSet, type);
    if (assumed.lengthVariables.size === 0) return undefined;
    return (values) => {
      const { cost } = estimatorWith(values).operation(operation.selectionSet, type);
      if (cost > LIMITS.cost) throw limitExceeded('cost', Math.ceil(cost), LIMITS.cost);
    };
  };
}

function costOfFullIntrospection(schema: GraphQLSchema, lists: SchemaListLengths): number {
  const document = parse(FULL_INTROSPECTION_QUERY);
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const estimator = new CostEstimator(schema, lists, (fragment) =>
    fragments.find(({ name }) => name.value === fragment),
  );
  const set = getOperationAST(document)?.selectionSet;
  return set ? estimator.operation(set, schema.getQueryType() ?? undefined).introspection : 0;
}

/** "Any Name within a GraphQL type system must not start with two underscores". The executor uses such names itself. Long ones are refused. */
function refuseNames(context: ValidationContext): ASTVisitor {
  const refuse = (name: string) => {
    const prefix = ['__', CLASH_PREFIX].find((reserved) => name.startsWith(reserved));
    if (prefix === undefined) return;
    const sentence = `Names that start with \`${prefix}\` are reserved: \`${name}\` cannot be an alias or a variable.`;
    context.reportError(badRequest(sentence));
  };
  const refuseLength = (what: string, { length }: string) => {
    if (length <= MAX_NAME_LENGTH) return;
    context.reportError(badRequest(`${what} has ${length} characters, the maximum is ${MAX_NAME_LENGTH}.`));
  };
  return {
    Field({ alias, name }) {
      if (!alias || alias.value === name.value) return;
      refuse(alias.value);
      refuseLength('An alias', alias.value);
    },
    Directive({ arguments: given = [] }) {
      const label = given.find(({ name }) => name.value === 'label')?.value;
      if (label?.kind === Kind.STRING) refuseLength('A label', label.value);
    },
    VariableDefinition({ variable }) {
      refuse(variable.name.value);
    },
  };
}

function limitExceeded(measure: string, count: number, limit: number): GraphQLError {
  return badRequest(
    `The operation exceeds a limit: its ${measure} is ${count > 1e6 ? 'over a million' : count}, the maximum is ${limit}.`,
  );
}
