// Writes the generated files of the SDK from schema/; `--check` compares them. Runs on the built code.
import { outputIntrospectionFile } from '@gql.tada/internal';
import { introspectionFromSchema } from 'graphql';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { Engine } from '../dist/gateway/engine/engine.js';
import { readSupergraph } from '../dist/gateway/engine/supergraph/supergraph.js';
import { pythonApi } from './sdk-python.js';

const schema = new URL('../schema/', import.meta.url);
const sdk = new URL('../sdk/', import.meta.url);

/** Returns each generated file by its path in sdk/. */
async function generatedFiles() {
  const supergraph = await readFile(new URL('supergraph.graphql', schema), 'utf8');
  const api = introspectionFromSchema(new Engine(readSupergraph(supergraph), new Map()).schema, {
    descriptions: false,
  });
  const rest = JSON.parse(await readFile(new URL('openapi.json', schema), 'utf8'));
  return new Map([
    ['src/generated/graphql.d.ts', outputIntrospectionFile(api, { fileType: '.d.ts', shouldPreprocess: true })],
    ['src/generated/openapi.d.ts', astToString(await openapiTS(rest))],
    ['python/archipelago/api.py', pythonApi(rest)],
  ]);
}

const isCheck = process.argv.includes('--check');
await mkdir(new URL('src/generated/', sdk), { recursive: true });
for (const [name, text] of await generatedFiles()) {
  const file = new URL(name, sdk);
  if (!isCheck) await writeFile(file, text);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`sdk/${name} does not match schema/; run \`npm run schema\`.`);
    process.exitCode = 1;
  }
}
