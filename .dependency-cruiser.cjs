/** Areas of the gateway, lowest first: an area imports only from areas before it. */
const GATEWAY_AREAS = ['composition', 'http', 'engine', 'graphql', 'rest', 'websocket', 'pages', 'entrypoints'];

/** Which part may import which; each comment says what to do instead. Circles: tests/architecture/boundaries.test.ts. */
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
      comment: 'The kernel serves every part: pass in what it needs, or move the code to its only user.',
      severity: 'error',
      from: { path: '^kernel/' },
      to: { path: '^(gateway|subgraphs|tests|bench)/' },
    },
    {
      name: 'subgraphs-know-no-other',
      comment: 'Call the other subgraph by a named operation (calls.ts), or extend the entity by its key.',
      severity: 'error',
      from: { path: '^subgraphs/([^/]+)/' },
      to: { path: '^(gateway|tests|bench|subgraphs)/', pathNot: '^subgraphs/$1/' },
    },
    {
      name: 'gateway-knows-manifests',
      comment: 'The gateway lists the subgraphs in gateway/composition/supergraph.ts and calls them by GraphQL only.',
      severity: 'error',
      from: { path: '^gateway/' },
      to: { path: '^subgraphs/', pathNot: '^subgraphs/[^/]+/subgraph\\.ts$' },
    },
    {
      name: 'one-list-of-subgraphs',
      comment: 'Import SUBGRAPHS from gateway/composition/supergraph.ts.',
      severity: 'error',
      from: { path: '^gateway/', pathNot: '^gateway/composition/supergraph\\.ts$' },
      to: { path: '^subgraphs/' },
    },
    ...GATEWAY_AREAS.map((area, index) => ({
      name: `gateway-${area}-imports-lower-areas`,
      comment: `Lowest first: ${GATEWAY_AREAS.join(', ')}. Move what both need into the lower area, or pass it in.`,
      severity: 'error',
      from: { path: `^gateway/${area}/` },
      to: { path: `^gateway/(${GATEWAY_AREAS.slice(index + 1).join('|') || '-'})/` },
    })),
    {
      name: 'entrypoints-start-the-gateway',
      comment: 'app.ts and gateway.ts put the areas together: pass what an area needs from them as an argument.',
      severity: 'error',
      from: { path: '^gateway/[^/]+/', pathNot: '^gateway/entrypoints/' },
      to: { path: '^gateway/[^/]+\\.ts$' },
    },
    {
      name: 'nobody-imports-entrypoints',
      comment: 'An entry point only starts a process: move what another file needs into an area.',
      severity: 'error',
      from: { path: '^(gateway|kernel|subgraphs)/', pathNot: '^gateway/entrypoints/' },
      to: { path: '^gateway/entrypoints/' },
    },
    {
      name: 'areas-take-types-of-their-subgraph',
      comment:
        'These files put the areas together: pass what an area needs from them as an argument (docs/decisions/0026).',
      severity: 'error',
      from: { path: '^subgraphs/[^/]+/[^/]+/' },
      to: { path: '^subgraphs/[^/]+/(services|entities|jobs|resolvers)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'rules-are-pure',
      comment: 'A rule is a pure function: read in an action and pass the value in.',
      severity: 'error',
      from: { path: '\\.rules\\.ts$' },
      to: {
        path: '\\.(actions|resolver|reference)\\.ts$|^kernel/(database|events|jobs)/|^kernel/subgraph/context\\.ts$|^node:(fs|net|http|child_process)|node_modules/pg/',
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
      name: 'sdk-knows-no-server',
      comment: 'Clients install the SDK without the server: copy the value from the API, or move the code to the SDK.',
      severity: 'error',
      from: { path: '^sdk/' },
      to: { path: '^(gateway|kernel|subgraphs|tests|bench)/' },
    },
    {
      name: 'cli-knows-only-the-sdk',
      comment: 'The command line is a client: call the platform by the SDK.',
      severity: 'error',
      from: { path: '^cli/' },
      to: { path: '^(gateway|kernel|subgraphs|dashboard|tests|bench|sdk/src/.)', pathNot: '^sdk/src/index\\.ts$' },
    },
    {
      name: 'server-knows-no-clients',
      comment: 'Only clients and tests use the SDK; only tests use the command line and the dashboard.',
      severity: 'error',
      from: { path: '^(gateway|kernel|subgraphs)/' },
      to: { path: '^(sdk|cli|dashboard)/' },
    },
    {
      name: 'sdk-knows-no-client',
      comment: 'The SDK serves every client: move the code to the SDK.',
      severity: 'error',
      from: { path: '^sdk/' },
      to: { path: '^(cli|dashboard)/' },
    },
    {
      name: 'dashboard-knows-no-server',
      comment: 'The dashboard is a client: call the platform by GraphQL, or move the code to the SDK.',
      severity: 'error',
      from: { path: '^dashboard/' },
      to: { path: '^(gateway|kernel|subgraphs|cli|tests|bench|scripts)/' },
    },
    {
      name: 'code-knows-no-tests',
      comment: 'Move what code and tests share into the code.',
      severity: 'error',
      from: { path: '^(gateway|kernel|subgraphs)/' },
      to: { path: '^(tests|bench)/' },
    },
    {
      name: 'everything-resolves',
      comment: 'Add the package to package.json, or mend the path.',
      severity: 'error',
      // The packages of bench/peers are installed by the bench.
      from: { pathNot: '^bench/peers/' },
      // Generated declarations hold types only.
      to: { couldNotResolve: true, pathNot: '^\\./generated/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
