import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { listOf, text } from './environment.js';

/** The manifest of `@apollo/generate-persisted-query-manifest`. */
const APOLLO_MANIFEST = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z.array(z.object({ id: text.min(1), body: text.min(1) })),
});

/** The manifest of Relay and of GraphQL Code Generator: documents by hash. */
const PLAIN_MANIFEST = z.record(text, text.min(1)).transform(Object.entries);

const MANIFEST = z.union([
  APOLLO_MANIFEST.transform(({ operations }) => operations.map(({ id, body }): [string, string] => [id, body])),
  PLAIN_MANIFEST,
]);

const manifest = text.transform((file, context): readonly [string, string][] => {
  const refuse = (problem: string) => {
    context.addIssue(`names ${file}, which ${problem}.`);
    return z.NEVER;
  };
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return refuse(code === undefined ? 'is not JSON' : `cannot be read (${code})`);
  }
  const { data } = MANIFEST.safeParse(json);
  if (!data) return refuse('is neither an Apollo manifest of persisted queries nor an object of documents by hash');
  return data.length > 0 ? data : refuse('has no documents');
});

/** Reads comma-separated manifests of trusted documents. Returns the documents by id or hash; undefined if no manifest is configured. */
export const trustedDocuments = listOf(manifest).transform((manifests, context) => {
  const documents = new Map<string, string>();
  for (const [id, document] of manifests.flat()) {
    if ((documents.get(id) ?? document) !== document) context.addIssue(`gives two documents for "${id}".`);
    documents.set(id, document);
  }
  return documents.size > 0 ? documents : undefined;
});
