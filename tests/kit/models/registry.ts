import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { freePort } from '../arrangements.js';

/** The token in notifications of the test registry. */
export const REGISTRY_TOKEN = 'the-registry-token-of-the-tests';

interface Repository {
  readonly manifests: Map<string, { readonly type: string; readonly body: Buffer }>;
  readonly tags: Map<string, string>;
  readonly blobs: Map<string, Buffer>;
}

/** Handles a request in place of the registry. Returns true if it did. */
type Intercept = (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | boolean;

/** An in-memory registry with the OCI distribution protocol over HTTP. */
export interface TestRegistry {
  readonly url: string;
  /** Method and path of every request, oldest first. */
  readonly requests: string[];
  /** Highest number of concurrent requests so far. */
  peakConcurrent: number;
  intercept: Intercept;
  stop(): Promise<void>;
}

/** Starts a registry. @param givenPort a free port by default */
export async function startRegistry(givenPort?: number): Promise<TestRegistry> {
  const port = givenPort ?? (await freePort());
  const repositories = new Map<string, Repository>();
  let concurrent = 0;
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    registry.requests.push(`${request.method} ${request.url}`);
    registry.peakConcurrent = Math.max(registry.peakConcurrent, ++concurrent);
    response.once('close', () => concurrent--);
    if (await registry.intercept(request, response)) return;
    await serve(repositories, request, response);
  };
  const server = createServer((request, response) => void respond(request, response)).listen(port, '127.0.0.1');
  // Under load a client may reuse a connection after more than the default 5 s.
  server.keepAliveTimeout = 60_000;
  await once(server, 'listening');
  const registry: TestRegistry = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    peakConcurrent: 0,
    intercept: () => false,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return registry;
}

async function serve(repositories: Map<string, Repository>, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://registry');
  const body = await buffer(request);
  if (url.pathname === '/v2/') return send(response, 200, '{}');
  if (url.pathname === '/v2/_catalog')
    return sendNames(response, url, 'repositories', [...repositories.keys()].toSorted());
  const parts = /^\/v2\/(.+)\/(manifests|blobs|tags)\/(.+)$/.exec(url.pathname);
  if (!parts) return refuse(response, 'UNSUPPORTED');
  const [, name = '', what = '', reference = ''] = parts;
  return serveRepository(
    openRepository(repositories, request, name),
    what,
    { request, url, reference, body },
    response,
  );
}

/** A write creates the repository. */
function openRepository(repositories: Map<string, Repository>, { method = '' }: IncomingMessage, name: string) {
  return repositories.get(name) ?? (['PUT', 'POST'].includes(method) ? addTo(repositories, name) : undefined);
}

function serveRepository(
  repository: Repository | undefined,
  what: string,
  repositoryRequest: RepositoryRequest,
  response: ServerResponse,
): void {
  if (!repository) return refuse(response, 'NAME_UNKNOWN');
  return ENDPOINTS[what as keyof typeof ENDPOINTS](repository, repositoryRequest, response);
}

const ENDPOINTS = {
  tags: ({ tags }: Repository, { url }: RepositoryRequest, response: ServerResponse) =>
    sendNames(response, url, 'tags', [...tags.keys()].toSorted()),
  blobs: serveBlob,
  manifests: serveManifest,
};

interface RepositoryRequest {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly reference: string;
  readonly body: Buffer;
}

function addTo(repositories: Map<string, Repository>, name: string): Repository {
  const repository: Repository = { manifests: new Map(), tags: new Map(), blobs: new Map() };
  repositories.set(name, repository);
  return repository;
}

function serveBlob(
  { blobs }: Repository,
  { request, url, reference, body }: RepositoryRequest,
  response: ServerResponse,
): void {
  if (request.method === 'POST') {
    blobs.set(url.searchParams.get('digest') ?? '', body);
    return send(response, 201, '');
  }
  const blob = blobs.get(reference);
  return blob ? send(response, 200, blob) : refuse(response, 'BLOB_UNKNOWN');
}

function serveManifest(repository: Repository, repositoryRequest: RepositoryRequest, response: ServerResponse): void {
  const { request, reference } = repositoryRequest;
  if (request.method === 'PUT') return addManifest(repository, repositoryRequest, response);
  const digest = repository.tags.get(reference) ?? reference;
  const manifest = repository.manifests.get(digest);
  if (!manifest) return refuse(response, 'MANIFEST_UNKNOWN');
  if (request.method === 'DELETE') {
    deleteManifest(repository, reference);
    return send(response, 202, '');
  }
  response.setHeader('docker-content-digest', digest).setHeader('etag', `"${digest}"`);
  if (request.headers['if-none-match'] === `"${digest}"`) return send(response, 304, '');
  response.setHeader('content-type', manifest.type);
  return send(response, 200, manifest.body);
}

function addManifest(
  { manifests, tags }: Repository,
  { request, reference, body }: RepositoryRequest,
  response: ServerResponse,
) {
  const digest = digestOf(body);
  manifests.set(digest, { type: request.headers['content-type'] ?? '', body });
  if (!reference.includes(':')) tags.set(reference, digest);
  response.setHeader('docker-content-digest', digest);
  return send(response, 201, '');
}

/** Deletes a tag, or a manifest with all its tags. */
function deleteManifest({ manifests, tags }: Repository, reference: string): void {
  if (!tags.delete(reference)) manifests.delete(reference);
  for (const [tag, digest] of tags) if (!manifests.has(digest)) tags.delete(tag);
}

/** Maximum page size: registries may limit the requested number. */
const MAX_NAMES = 20;

/** Source: OCI distribution specification, Listing Tags */
function sendNames(response: ServerResponse, url: URL, field: string, names: readonly string[]): void {
  const last = url.searchParams.get('last') ?? '';
  const size = Math.min(MAX_NAMES, Number(url.searchParams.get('n') ?? MAX_NAMES));
  const rest = names.filter((name) => name > last);
  const page = rest.slice(0, size);
  if (rest.length > size)
    response.setHeader('link', `<${url.pathname}?last=${encodeURIComponent(page.at(-1) ?? '')}&n=${size}>; rel="next"`);
  send(response, 200, JSON.stringify({ [field]: page }));
}

function send(response: ServerResponse, status: number, body: string | Buffer): void {
  response.writeHead(status).end(body);
}

function refuse(response: ServerResponse, code: string): void {
  send(response, 404, JSON.stringify({ errors: [{ code, message: code.toLowerCase() }] }));
}

/** Returns the digest of a blob or manifest: `sha256:<hex>`. */
export function digestOf(body: Buffer | string): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`;
}
