import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { subgraphSdl } from '../kernel/subgraph.js';
import { SUBGRAPHS } from './supergraph.js';

/** Every schema file by its name: the four subgraphs and the supergraph they compose to. @throws when they do not */
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
  return files;
}

/** Writes the schema files into a folder. */
export async function writeSchemas(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of files) await writeFile(join(folder, name), text);
}
