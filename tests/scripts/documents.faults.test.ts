import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cacheExchange, Client, fetchExchange } from '@urql/core';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { textOf } from '../../sdk/src/graphql.js';
import { graphql } from '../../sdk/src/index.js';
import { filesIn } from '../architecture/source.js';

const PRICE = 'fragment Price on VmFlavor { creditsPerHour }';
const FLAVOR = 'fragment Flavor on VmFlavor { name ...Price }';
const FLAVORS = 'query { vmFlavors { id ...Flavor } }';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archipelago-documents-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The operations of the manifest of these source files. */
async function operationsIn(files: Readonly<Record<string, string>>): Promise<unknown> {
  const paths = Object.keys(files).map((name) => join(folder, name));
  for (const [name, source] of Object.entries(files)) await writeFile(join(folder, name), source);
  const script = `const { documentManifest } = await import('./scripts/documents.js');
    console.log(await documentManifest(${JSON.stringify(paths)}));`;
  const args = ['--input-type=module', '--eval', script];
  const { operations } = JSON.parse(execFileSync(process.execPath, args, { cwd: packageRoot(), encoding: 'utf8' })) as {
    readonly operations: readonly { readonly body: string }[];
  };
  return operations.map(({ body }) => body);
}

/** The text in which the dashboard sends these documents. */
async function sentByUrql(document: Parameters<Client['query']>[0]): Promise<string> {
  let sent = '';
  const client = new Client({
    url: 'http://localhost/graphql',
    preferGetMethod: false,
    exchanges: [cacheExchange, fetchExchange],
    fetch: async (_, init) => {
      ({ query: sent } = (await new Response(init?.body ?? null).json()) as { readonly query: string });
      return Response.json({ data: null });
    },
  });
  await client.query(document, {}).toPromise();
  return sent;
}

it('the manifest of documents has those that share fragments as both clients send them', async () => {
  const document = graphql(FLAVORS, [graphql(FLAVOR, [graphql(PRICE)])]);
  const operations = await operationsIn({
    'fragments.ts': `export const PRICE = graphql('${PRICE}');\nexport const FLAVOR = graphql('${FLAVOR}', [PRICE]);`,
    'flavors.ts': `export const FLAVORS = graphql(\`${FLAVORS}\`, [FLAVOR]);`,
  });
  expect(operations).toEqual([await sentByUrql(document), textOf(document)]);
});

/** Shows an operation as an example, and does not send it. */
const SHOWN = 'dashboard/pages/developer/developer.tsx';

/** Literals of operations outside of `graphql()`, and arguments of `graphql()` whose text is not in the source. */
const NOT_COLLECTED = [
  /(?<!(?<![.\w])graphql\(\s*)['"`]\s*(?:query|mutation|subscription)\b[\w\s]*(?:\([^)]*\)\s*)?\{/,
  /(?<!(?<![.\w])graphql\(\s*)(['"`])\s*\{\s*\w[^'"`]*\}\s*\1/,
  /(?<![.\w])graphql\((?!\s*['"`])/,
  /(?<![.\w])graphql\(\s*`[^`]*\$\{/,
];

it('the manifest of documents has every operation of the dashboard and of the command line: each is a text in graphql()', () => {
  const isMissed = (text: string) => NOT_COLLECTED.some((pattern) => pattern.test(text));
  const missed = [
    "const A = 'query { me { id } }';",
    'const A = `\n  mutation Save($id: ID!) {\n save(id: $id) }`;',
    "client.graphql('{ me { id } }')",
    "client.query('{ __typename }')",
    'graphql(TEXT)',
    'graphql(`query { me { ${FIELDS} } }`)',
  ];
  expect(missed.filter((text) => !isMissed(text))).toEqual([]);
  expect(
    isMissed(`graphql('{ me { id } }'); client.graphql(ME, {}); graphql(\n'query ($id: ID!) { vm(id: $id) { id } }')`),
  ).toBe(false);
  const files = ['.ts', '.tsx', '.js'].flatMap((ending) => filesIn(['dashboard', 'cli'], ending));
  expect(files.filter(({ text }) => isMissed(text)).map(({ path }) => path)).toEqual([SHOWN]);
});
