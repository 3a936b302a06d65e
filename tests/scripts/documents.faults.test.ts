import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cacheExchange, Client, fetchExchange } from '@urql/core';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { textOf } from '../../sdk/src/graphql.js';
import { graphql } from '../../sdk/src/index.js';

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
