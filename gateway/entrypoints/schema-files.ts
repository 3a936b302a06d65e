import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { subgraphSdl } from '../../kernel/subgraph/subgraph.js';
import { Engine } from '../engine/engine.js';
import { readSupergraph } from '../engine/supergraph/read-supergraph.js';
import { openApiDocument } from '../rest/openapi/openapi.js';
import { parseOperations } from '../rest/operations.js';
import { SUBGRAPHS } from '../composition/supergraph.js';

/** Returns each schema file by name: the subgraphs, the supergraph, the OpenAPI document. @throws when the subgraphs do not compose */
export function composeSchemas(): Map<string, string> {
  const files = new Map(SUBGRAPHS.map((manifest) => [`${manifest.name}.graphql`, subgraphSdl(manifest)]));
  const services = SUBGRAPHS.map(({ name }) => ({
    name,
    url: `http://${name}.internal`,
    typeDefs: parse(files.get(`${name}.graphql`) ?? ''),
  }));
  const { errors, supergraphSdl } = composeServices(services);
  if (errors) throw new Error(`the subgraphs do not compose:\n${errors.map(({ message }) => message).join('\n')}`);
  files.set('supergraph.graphql', supergraphSdl);
  files.set('openapi.json', openApiText(supergraphSdl));
  return files;
}

function openApiText(supergraphSdl: string): string {
  const { schema } = new Engine(readSupergraph(supergraphSdl), new Map());
  const text = readFileSync(join(packageRoot(), 'gateway/rest/operations.graphql'), 'utf8');
  const openApi = openApiDocument({ schema, operations: parseOperations(text), publicUrl: 'http://localhost:4000' });
  return `${JSON.stringify(openApi, null, 2)}\n`;
}

/** Writes the schema files into a folder. */
export async function writeSchemas(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of files) await writeFile(join(folder, name), text);
}
