import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Kind, parse, print } from 'graphql';

/** Returns the manifest of the documents that these source files give to `graphql()`, in the format of Apollo. */
export async function documentManifest(files) {
  const texts = new Set();
  for (const file of files)
    for (const text of await documentsOf(file)) for (const sent of await textsOf(text)) texts.add(sent);
  const operations = [...texts].map((body) => {
    const { name, operation: type } = parse(body).definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    return { id: createHash('sha256').update(body).digest('hex'), name: name?.value ?? null, type, body };
  });
  return `${JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }, null, 2)}\n`;
}

/** Returns the literal arguments of `graphql()`. */
async function documentsOf(file) {
  const source = await readFile(file, 'utf8');
  if (!source.includes('graphql(')) return [];
  const { parseSync } = await import('rolldown/utils');
  const found = [];
  visit(parseSync(file, source).program, found);
  return found;
}

function visit(node, found) {
  if (typeof node !== 'object' || node === null) return;
  if (node.type === 'CallExpression' && node.callee.name === 'graphql') found.push(...literalOf(node.arguments[0]));
  for (const child of Object.values(node)) visit(child, found);
}

function literalOf(argument) {
  if (argument?.type === 'Literal') return [argument.value];
  return argument?.type === 'TemplateLiteral' && argument.quasis.length === 1 ? [argument.quasis[0].value.cooked] : [];
}

/** Returns the forms in which clients send a document: urql adds `__typename`, and the SDK prints it. */
async function textsOf(text) {
  const { createRequest, formatDocument, stringifyDocument } = await import('@urql/core');
  const document = parse(text);
  return [stringifyDocument(formatDocument(createRequest(document, {}).query)), print(document)];
}
