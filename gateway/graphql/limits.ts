import {
  getIntrospectionQuery,
  getOperationAST,
  Kind,
  parse,
  type ASTVisitor,
  type GraphQLError,
  type GraphQLSchema,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { badRequest } from '../../kernel/errors.js';
import { isStorable, unstorable } from '../../kernel/text.js';
import { CLASH_PREFIX } from '../engine/aliases.js';
import { Measure } from './cost.js';
import { SchemaLists } from './schema-lists.js';

/** Tokens of a document, counted before anything is built from it. */
export const MAX_TOKENS = 2_000;

/** What one operation may ask for. Source: architecture, Faults met in the packages */
const MOST = { depth: 12, aliases: 30, rootFields: 20, directives: 20, cost: 5_000 } as const;

/** How much may be asked of the schema: so many times what clients ask that ask for all of it. */
const WHOLE_SCHEMAS = 1.5;

/** All that can be asked of a schema in one of the usual queries. */
const WHOLE_SCHEMA = getIntrospectionQuery({
  descriptions: true,
  schemaDescription: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  inputValueDeprecation: true,
  oneOf: true,
});

/** Makes the rule that refuses operations that ask for more of this schema than anyone needs. */
export function limitOperations(schema: GraphQLSchema): ValidationRule {
  const lists = new SchemaLists(schema);
  const most = { ...MOST, introspection: Math.ceil(WHOLE_SCHEMAS * costOfAll(schema, lists)) };
  return (context) => {
    const measure = new Measure(schema, lists, (name) => context.getFragment(name));
    return {
      ...refuseNames(context),
      StringValue({ value }) {
        if (!isStorable(value)) context.reportError(badRequest(unstorable('A text')));
      },
      OperationDefinition(operation) {
        const { fields, ...tally } = measure.operation(operation.selectionSet, context.getType() ?? undefined);
        const directives = tally.directives + (operation.directives?.length ?? 0);
        for (const [what, count] of Object.entries({ ...tally, directives, rootFields: fields })) {
          const limit = most[what as keyof typeof most];
          if (count > limit) context.reportError(tooMuch(what, Math.ceil(count), limit));
        }
      },
    };
  };
}

function costOfAll(schema: GraphQLSchema, lists: SchemaLists): number {
  const document = parse(WHOLE_SCHEMA);
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const measure = new Measure(schema, lists, (wanted) => fragments.find(({ name }) => name.value === wanted));
  const set = getOperationAST(document)?.selectionSet;
  return set ? measure.operation(set, schema.getQueryType() ?? undefined).introspection : 0;
}

/** "Any Name within a GraphQL type system must not start with two underscores": the executor uses those itself. */
function refuseNames(context: ValidationContext): ASTVisitor {
  const refuse = (name: string) => {
    const prefix = ['__', CLASH_PREFIX].find((reserved) => name.startsWith(reserved));
    if (prefix === undefined) return;
    const sentence = `Names that start with \`${prefix}\` are reserved: \`${name}\` can be no alias or variable.`;
    context.reportError(badRequest(sentence));
  };
  return {
    Field({ alias, name }) {
      if (alias && alias.value !== name.value) refuse(alias.value);
    },
    VariableDefinition({ variable }) {
      refuse(variable.name.value);
    },
  };
}

function tooMuch(what: string, count: number, most: number): GraphQLError {
  return badRequest(
    `The operation asks for too much: its ${what} is ${count > 1e6 ? 'over a million' : count}, at most ${most} are served.`,
  );
}
