import { Kind, visit, type DocumentNode } from 'graphql';

/** Matches the variable of the planner for the representations of entities, and what clients' variables of this name become. */
const REPRESENTATIONS = /^representations_*$/;

/** Renames the variables of a client whose name is that of the planner: each gets one more `_`. */
export function withOwnVariables(document: DocumentNode): DocumentNode {
  const isRenamed = document.definitions.some(
    (one) =>
      one.kind === Kind.OPERATION_DEFINITION &&
      one.variableDefinitions?.some(({ variable }) => REPRESENTATIONS.test(variable.name.value)),
  );
  if (!isRenamed) return document;
  return visit(document, {
    Variable: ({ name, ...node }) =>
      REPRESENTATIONS.test(name.value) ? { ...node, name: { ...name, value: `${name.value}_` } } : undefined,
  });
}

/** Returns the name that the client gave to a variable of a plan. */
export function clientVariable(name: string): string {
  return REPRESENTATIONS.test(name) ? name.slice(0, -1) : name;
}
