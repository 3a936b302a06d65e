import { Kind, parse, type DocumentNode } from 'graphql';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { OperationCompiler } from '../engine/compiled-operation.js';
import { conditionsOf } from '../engine/operation/conditions.js';
import { selectOperation } from '../engine/operation/documents.js';
import { BUILT_SUPERGRAPH, buildSupergraph } from '../engine/supergraph/built-supergraph.js';
import { checkOperations, parseOperations } from '../rest/operations.js';

/** The manifest of the documents that the dashboard and the command line send. */
interface Manifest {
  readonly operations: readonly { readonly body: string }[];
}

// Writes the built supergraph with precompiled plans for REST, dashboard and CLI operations.
const { operations } = JSON.parse(await packageFile('dist/documents.json')) as Manifest;
const restOperations = parseOperations(await packageFile('gateway/rest/operations.graphql'));
const documents = [restOperations, ...operations.map(({ body }) => parse(body, { noLocation: true }))];
const built = buildSupergraph(await packageFile('schema/supergraph.graphql'), (supergraph) => {
  checkOperations(supergraph.schema, restOperations);
  const compiler = new OperationCompiler({ supergraph, clientOf: noClient });
  for (const document of documents) planAll(compiler, document);
});
const file = join(packageRoot(), BUILT_SUPERGRAPH);
await writeFile(`${file}.${process.pid}.tmp`, JSON.stringify(built));
await rename(`${file}.${process.pid}.tmp`, file);

/** Plans each operation of a document, with each combination of its conditions. */
function planAll(compiler: OperationCompiler, document: DocumentNode): void {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const selected = selectOperation(document, definition.name?.value);
    const isDeferring = false;
    for (const values of combinations(conditionsOf(selected).variables))
      compiler.compile(selected, values, isDeferring);
  }
}

function combinations([variable, ...others]: readonly string[]): Readonly<Record<string, boolean>>[] {
  if (variable === undefined) return [{}];
  return combinations(others).flatMap((rest) => [true, false].map((value) => ({ ...rest, [variable]: value })));
}

function packageFile(path: string): Promise<string> {
  return readFile(join(packageRoot(), path), 'utf8');
}

function noClient(subgraph: string): never {
  throw new Error(`Planning must not call subgraph ${subgraph}.`);
}
