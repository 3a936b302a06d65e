import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { badRequest } from '../../../kernel/errors.js';
import { StartError } from '../../composition/data-directory.js';
import { requestError } from '../../engine/public-errors.js';
import type { ReadDocument } from './read-document.js';

/** Memory for documents that clients have sent with their hash. The least recently used are forgotten. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The protocol of `extensions.persistedQuery`. Source: Apollo, Automatic Persisted Queries */
const VERSION = 1;

/** The parts of a request that select its document. */
export interface DocumentRequest {
  readonly query?: unknown;
  readonly extensions?: unknown;
}

/**
 * The documents that a request may name by hash: those of the operator (`TRUSTED_DOCUMENTS`), which are then the only ones
 * that are executed, else those that clients have sent together with their hash.
 */
export class PersistedDocuments {
  private readonly sent = new LRUCache<string, string>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf });
  private readonly trustedTexts: ReadonlySet<string> | undefined;

  /**
   * @param trusted the documents of the operator by hash or id; undefined: any document is executed
   * @throws StartError with one sentence on the first of them that `read` refuses
   */
  constructor(
    private readonly trusted?: ReadonlyMap<string, string>,
    read: ReadDocument = () => [],
  ) {
    for (const [id, text] of trusted ?? []) {
      const document = read(text);
      const problem = 'kind' in document ? undefined : document[0]?.message;
      if (problem !== undefined) throw new StartError(`TRUSTED_DOCUMENTS gives "${id}", which is invalid: ${problem}`);
    }
    this.trustedTexts = trusted && new Set(trusted.values());
  }

  /**
   * Returns the text of the document that a request sends or names; undefined when it has neither.
   * @throws PERSISTED_QUERY_NOT_FOUND, PERSISTED_QUERY_NOT_SUPPORTED, BAD_REQUEST for a wrong hash; the errors of `requireTrusted`
   */
  textOf(request: DocumentRequest): string | undefined {
    const hash = hashOf(request);
    const { query } = request;
    if (typeof query !== 'string' || (query === '' && hash !== undefined))
      return hash === undefined ? undefined : this.named(hash);
    if (hash !== undefined && sha256(query) !== hash)
      throw badRequest('`sha256Hash` is not the SHA-256 of the document.');
    this.requireTrusted(query);
    return query;
  }

  /** @throws QUERY_NOT_IN_SAFELIST when the operator has a list of documents and the text is not in it */
  requireTrusted(text: string): void {
    if (this.trustedTexts && !this.trustedTexts.has(text))
      throw requestError('QUERY_NOT_IN_SAFELIST', 'This server executes only the documents of its operator.', 403);
  }

  /** Returns the document of a hash or id; undefined when it is unknown. */
  find(hash: string): string | undefined {
    return this.trusted ? this.trusted.get(hash) : this.sent.get(hash);
  }

  /** Keeps the valid document of a request that has its hash. */
  remember(request: DocumentRequest, text: string): void {
    const hash = hashOf(request);
    if (hash !== undefined) this.keep(hash, text);
  }

  /** Keeps a valid document. The documents of an operator do not change. */
  keep(hash: string, text: string): void {
    if (!this.trusted) this.sent.set(hash, text);
  }

  private named(hash: string): string {
    const text = this.find(hash);
    if (text !== undefined) return text;
    if (this.trusted)
      throw requestError(
        'PERSISTED_QUERY_NOT_IN_LIST',
        'The operator of this server has no document of this hash.',
        404,
      );
    // Clients of Apollo wait for this message and status.
    throw requestError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound', 200);
  }
}

/** @throws when `extensions.persistedQuery` is invalid or of another version */
function hashOf({ extensions }: DocumentRequest): string | undefined {
  const { persistedQuery } = Object(extensions) as { readonly persistedQuery?: unknown };
  if (persistedQuery === undefined || persistedQuery === null) return undefined;
  const { version, sha256Hash } = Object(persistedQuery) as {
    readonly version?: unknown;
    readonly sha256Hash?: unknown;
  };
  if (version !== VERSION) throw requestError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported', 200);
  if (typeof sha256Hash === 'string' && sha256Hash !== '') return sha256Hash;
  throw badRequest('`persistedQuery` needs a text as `sha256Hash`.');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function sizeOf(text: string, hash: string): number {
  return Buffer.byteLength(text) + hash.length;
}
