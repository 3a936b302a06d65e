import { describe, expect, it } from '@jest/globals';
import { PersistedDocuments } from '../../../../gateway/graphql/documents/persisted-documents.js';

const MIB = 1024 * 1024;

describe('documents that clients have sent with their hash', () => {
  it('take at most 4 MiB, as UTF-8; the least recently used are forgotten', () => {
    const documents = new PersistedDocuments();
    // 1.2 MB in UTF-8.
    const text = '€'.repeat(400_000);
    for (const hash of ['a', 'b', 'c']) documents.keep(hash, text);
    documents.find('a');
    documents.keep('d', text);
    expect(['a', 'b', 'c', 'd'].filter((hash) => documents.find(hash) !== undefined)).toEqual(['a', 'c', 'd']);
  });

  it('are forgotten alone: one that is larger than all the memory is not kept', () => {
    const documents = new PersistedDocuments();
    documents.keep('small', '{ a }');
    documents.keep('large', 'x'.repeat(4 * MIB));
    expect(['small', 'large'].map((hash) => documents.find(hash))).toEqual(['{ a }', undefined]);
  });
});
