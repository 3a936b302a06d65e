// Writes the generated files of the SDK and of the dashboard from schema/; `--check` compares them. Runs on the built code.
import { outputIntrospectionFile } from '@gql.tada/internal';
import { introspectionFromSchema } from 'graphql';
import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { Engine } from '../dist/gateway/engine/engine.js';
import { readSupergraph } from '../dist/gateway/engine/supergraph/read-supergraph.js';
import { notificationKinds } from './notification-kinds.js';
import { pythonApi } from './sdk-python.js';

const schema = new URL('../schema/', import.meta.url);
const root = new URL('..', import.meta.url);

/** Returns each generated file by its path. */
async function generatedFiles() {
  const supergraph = await readFile(new URL('supergraph.graphql', schema), 'utf8');
  const { schema: graph } = new Engine(readSupergraph(supergraph), new Map());
  const api = introspectionFromSchema(graph, { descriptions: false });
  const rest = JSON.parse(await readFile(new URL('openapi.json', schema), 'utf8'));
  return new Map([
    ['sdk/src/generated/graphql.d.ts', outputIntrospectionFile(api, { fileType: '.d.ts', shouldPreprocess: true })],
    ['sdk/src/generated/openapi.d.ts', astToString(await openapiTS(rest))],
    ['sdk/python/archipelago/api.py', pythonApi(rest)],
    ['dashboard/generated/notification-kinds.ts', notificationKinds(graph)],
  ]);
}

const isCheck = process.argv.includes('--check');
for (const [name, text] of await generatedFiles()) {
  const file = new URL(name, root);
  if (!isCheck) await writeFile(file, text);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`${name} does not match the code; run \`npm run schema\`.`);
    process.exitCode = 1;
  }
}
