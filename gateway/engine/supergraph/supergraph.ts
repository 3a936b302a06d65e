import { Supergraph } from '@apollo/federation-internals';
import { parse, type DocumentNode } from 'graphql';
import { withTypes } from './join.js';
import { RequiredFields } from './required-fields.js';
import { separateFields } from './separate-fields.js';
import { isStub } from './virtual-subgraph.js';

/** A supergraph, and the form of it that the planner plans correctly. */
export interface PlannableSupergraph {
  readonly composed: Supergraph;
  readonly planned: Supergraph;
  /** Returns the operation of a fetch as the subgraph gets it. */
  readonly restoreOperation: (operation: string) => string;
}

/** Reads a supergraph schema. @throws when it is invalid */
export function readSupergraph(sdl: string): PlannableSupergraph {
  const document = parse(sdl, { noLocation: true });
  const required = new RequiredFields(document);
  const prepared = separateFields(withKeyOrder(required.document));
  const composed = build(sdl);
  return {
    composed,
    planned: prepared === document ? composed : build(prepared),
    restoreOperation: (operation) => required.restore(operation),
  };
}

function build(sdl: string | DocumentNode): Supergraph {
  return Supergraph.build(sdl, { validateSupergraph: false });
}

/** The planner re-enters a subgraph by the first key of a type, also if the subgraph cannot be asked by it. */
function withKeyOrder(document: DocumentNode): DocumentNode {
  return withTypes(document, (type) => {
    const { directives = [] } = type;
    const stubs = directives.filter(isStub);
    return stubs.length > 0 ? { ...type, directives: [...directives.filter((one) => !isStub(one)), ...stubs] } : type;
  });
}
