/** What the engine does right. Supergraphs, operations and comparisons of the tests avoid the rest. */
export const COVERED: Readonly<Record<Feature, boolean>> = {
  'arguments of required fields': false,
  'required fields that require others': false,
  'lists of lists of objects': false,
  'mutations with several fields': false,
  'several operations in a document': false,
  'skip and include': false,
  'fragments on interfaces of an object': false,
  'aliases that are names of other fields': false,
  'interface objects': false,
  'entities that a subgraph does not know': false,
  'the order of fields': false,
};

type Feature =
  | 'arguments of required fields'
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
