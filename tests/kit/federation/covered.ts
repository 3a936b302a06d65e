/** What the engine does right. Supergraphs, operations and comparisons of the tests avoid the rest. */
export const COVERED: Readonly<Record<Feature, boolean>> = {
  'arguments of required fields': true,
  // The planner fetches a required field under its own name: it has room for one set of arguments.
  'several sets of arguments of a required field': false,
  // The planner asks one fetch for a field and for what the field requires of another subgraph.
  'required fields that require others': false,
  'lists of lists of objects': true,
  'mutations with several fields': true,
  'several operations in a document': true,
  'skip and include': true,
  'fragments on interfaces of an object': true,
  'aliases that are names of other fields': true,
  'interface objects': true,
  'entities that a subgraph does not know': true,
  'the order of fields': true,
};

type Feature =
  | 'arguments of required fields'
  | 'several sets of arguments of a required field'
  | 'required fields that require others'
  | 'lists of lists of objects'
  | 'mutations with several fields'
  | 'several operations in a document'
  | 'skip and include'
  | 'fragments on interfaces of an object'
  | 'aliases that are names of other fields'
  | 'interface objects'
  | 'entities that a subgraph does not know'
  | 'the order of fields';
