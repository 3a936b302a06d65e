/** Which room may look into which; each comment says what to do instead. */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Move what both need into a file of its own that neither imports from.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'kernel-knows-nobody',
      comment: 'The kernel is what all share: hand in what it needs, or move the thing to its only user.',
      severity: 'error',
      from: { path: '^kernel/' },
      to: { path: '^(gateway|subgraphs|tests|bench)/' },
    },
    {
      name: 'subgraphs-know-no-other',
      comment: 'Ask by a named operation (asks.ts), or extend the entity by its key.',
      severity: 'error',
      from: { path: '^subgraphs/([^/]+)/' },
      to: { path: '^(gateway|tests|bench|subgraphs)/', pathNot: '^subgraphs/$1/' },
    },
    {
      name: 'gateway-knows-manifests',
      comment:
        'The gateway lists subgraphs in gateway/composition/supergraph.ts and reaches what is in them by GraphQL.',
      severity: 'error',
      from: { path: '^gateway/' },
      to: { path: '^subgraphs/', pathNot: '^subgraphs/[^/]+/subgraph\\.ts$' },
    },
    {
      name: 'one-list-of-subgraphs',
      comment: 'Import SUBGRAPHS from gateway/composition/supergraph.ts.',
      severity: 'error',
      from: { path: '^gateway/', pathNot: '^gateway/supergraph\\.ts$' },
      to: { path: '^subgraphs/' },
    },
    {
      name: 'rules-are-pure',
      comment: 'A rule decides on what it is given: read in an action, hand in the value.',
      severity: 'error',
      from: { path: '\\.rules\\.ts$' },
      to: {
        path: '\\.(actions|resolver|reference)\\.ts$|^kernel/(database|context|events)\\.ts$|^node:(fs|net|http|child_process)|node_modules/pg/',
      },
    },
    {
      name: 'nouns-keep-their-resolvers',
      comment: 'Call the other noun’s actions or rules, not its resolver.',
      severity: 'error',
      from: { path: '^subgraphs/', pathNot: '(subgraph|/resolvers)\\.ts$' },
      to: { path: '\\.resolver\\.ts$' },
    },
    {
      name: 'code-knows-no-tests',
      comment: 'What code and tests share belongs into the code.',
      severity: 'error',
      from: { path: '^(gateway|kernel|subgraphs)/' },
      to: { path: '^(tests|bench)/' },
    },
    {
      name: 'everything-resolves',
      comment: 'Add the package to package.json, or mend the path.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
