import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Kind, parse, print, visit } from 'graphql';

/** Returns the manifest of the documents that these source files give to `graphql()`, in the format of Apollo. */
export async function documentManifest(files) {
  const documents = (await Promise.all(files.map(documentsOf))).flat().map((text) => parse(text));
  const shared = documents.filter((document) => !document.definitions.some(isOperation));
  const fragments = new Map(shared.flatMap(({ definitions }) => definitions).map((one) => [one.name.value, one]));
  const texts = new Set();
  for (const document of documents.filter((one) => !shared.includes(one)))
    for (const sent of await textsOf(withFragments(document, fragments))) texts.add(sent);
  const operations = [...texts].map((body) => {
    const { name, operation: type } = parse(body).definitions.find(isOperation);
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
  collect(parseSync(file, source).program, found);
  return found;
}

function collect(node, found) {
  if (typeof node !== 'object' || node === null) return;
  if (node.type === 'CallExpression' && node.callee.name === 'graphql') found.push(...literalOf(node.arguments[0]));
  for (const child of Object.values(node)) collect(child, found);
}

function literalOf(argument) {
  if (argument?.type === 'Literal') return [argument.value];
  return argument?.type === 'TemplateLiteral' && argument.quasis.length === 1 ? [argument.quasis[0].value.cooked] : [];
}

function isOperation({ kind }) {
  return kind === Kind.OPERATION_DEFINITION;
}

/** Appends the shared fragments that a document uses, as `graphql(text, fragments)` does. */
function withFragments({ kind, definitions }, fragments) {
  const all = new Set(definitions);
  // A set visits what is added meanwhile: a fragment may use others.
  for (const definition of all) {
    const FragmentSpread = ({ name }) => void (fragments.has(name.value) && all.add(fragments.get(name.value)));
    visit(definition, { FragmentSpread });
  }
  return { kind, definitions: [...all] };
}

/** Returns the forms in which clients send a document: urql adds `__typename`, and the SDK prints it. */
async function textsOf(document) {
  const { createRequest, formatDocument, stringifyDocument } = await import('@urql/core');
  return [stringifyDocument(formatDocument(createRequest(document, {}).query)), print(document)];
}
