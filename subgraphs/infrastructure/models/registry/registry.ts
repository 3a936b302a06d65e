import { createHash } from 'node:crypto';
import type { RegistryConfig } from '../../config.js';
import { isDigest } from '../model/model.rules.js';
import { ArtifactFault, nextPage, parseObject, readBody, RegistryFault, throwFault } from './body.js';
import { RegistryCredentials } from './credentials.js';

/** Time-out of a response with its body, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** Maximum size of a manifest in bytes. Source: OCI distribution specification, Pushing Manifests */
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;

/** Maximum size of a page of names in bytes. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Names requested per page. */
const PAGE_SIZE = 100;

const MANIFEST_TYPES = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];

/** The state of a reference in the registry. */
export type ManifestState =
  | { readonly state: 'same' }
  | { readonly state: 'gone' }
  | { readonly state: 'found'; readonly digest: string; readonly body: Buffer };

/** A page of names and the address of the next page. */
export interface NamePage {
  readonly names: readonly string[];
  /** Address of the next page: a path, or a full URL on another host; undefined: this is the last page. */
  readonly next: string | undefined;
}

/** Client for an OCI registry: names, manifests and small blobs. Digests are verified. */
export class Registry {
  readonly url: string;
  readonly notificationTokens: readonly string[];
  private readonly credentials: RegistryCredentials;

  constructor(config: RegistryConfig) {
    this.url = config.url;
    this.notificationTokens = config.notificationTokens;
    this.credentials = new RegistryCredentials(config);
  }

  /** Fetches the manifest of a tag or digest. @param known digest that need not be sent again @throws RegistryFault, ArtifactFault for a manifest that is too large */
  async manifest(name: string, reference: string, known: string | null): Promise<ManifestState> {
    const answer = await this.get(`/v2/${name}/manifests/${reference}`, pullScope(name), {
      accept: MANIFEST_TYPES.join(', '),
      // For a digest, registries answer 304 without checking that it still exists.
      ...(known !== null && !isDigest(reference) && { 'if-none-match': `"${known}"` }),
    });
    if (answer.status === 304 && known !== null) return { state: 'same' };
    if (answer.status === 404) return gone(answer);
    const body = await readBody(mustBeOk(answer), MAX_MANIFEST_BYTES, ArtifactFault);
    const promised = isDigest(reference) ? reference : answer.headers.get('docker-content-digest');
    const digest = promised ?? sha256(body);
    verify(body, digest);
    return digest === known ? { state: 'same' } : { state: 'found', digest, body };
  }

  /** Fetches a blob of this exact size. @throws RegistryFault, ArtifactFault when it differs or is missing */
  async blob(name: string, { digest, sizeBytes }: { digest: string; sizeBytes: number }): Promise<Buffer> {
    const answer = await this.get(`/v2/${name}/blobs/${digest}`, pullScope(name), {});
    if (answer.status === 404) {
      await gone(answer);
      throw new ArtifactFault(`the registry does not have ${digest}`);
    }
    const body = await readBody(mustBeOk(answer), sizeBytes, ArtifactFault);
    verify(body, digest, ArtifactFault);
    if (body.length !== sizeBytes) throw new ArtifactFault(`${digest} has not the ${sizeBytes} bytes it should have`);
    return body;
  }

  /** A page of repository names. @param page null: the first @returns undefined when the registry does not list them @throws RegistryFault */
  async repositories(page: string | null): Promise<NamePage | undefined> {
    const answer = await this.get(page ?? `/v2/_catalog?n=${PAGE_SIZE}`, 'registry:catalog:*', {});
    // Public registries do not offer the catalogue.
    if (page === null && [401, 403, 404, 405].includes(answer.status)) {
      await answer.body?.cancel();
      return undefined;
    }
    return namePage(mustBeOk(answer), 'repositories');
  }

  /** A page of tags of a repository; empty when it does not exist. @throws RegistryFault */
  async tags(name: string, page?: string): Promise<NamePage> {
    const answer = await this.get(page ?? `/v2/${name}/tags/list?n=${PAGE_SIZE}`, pullScope(name), {});
    if (answer.status !== 404) return namePage(mustBeOk(answer), 'tags');
    await gone(answer);
    return { names: [], next: undefined };
  }

  /** Whether the registry is reachable. */
  async isThere(): Promise<boolean> {
    try {
      const answer = await this.get('/v2/', 'registry:catalog:*', {});
      await answer.body?.cancel();
      return answer.status < 500 && answer.status !== 429;
    } catch {
      return false;
    }
  }

  private get(path: string, scope: string, headers: Record<string, string>): Promise<Response> {
    return this.request(path, scope, headers).catch(throwFault);
  }

  private async request(path: string, scope: string, headers: Record<string, string>): Promise<Response> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const send = (authorization: string | undefined) =>
      fetch(this.url + path, {
        signal,
        headers: { ...headers, ...(authorization !== undefined && { authorization }) },
      });
    const known = this.credentials.known(scope, performance.now());
    const answer = await send(known);
    const challenge = answer.status === 401 ? answer.headers.get('www-authenticate') : null;
    if (challenge === null) return answer;
    await answer.body?.cancel();
    const authorization = await this.credentials.answer(challenge, scope, {
      refused: known,
      nowMs: performance.now(),
    });
    return send(authorization);
  }
}

function pullScope(name: string): string {
  return `repository:${name}:pull`;
}

function mustBeOk(answer: Response): Response {
  if (answer.status === 200) return answer;
  void answer.body?.cancel().catch(() => undefined);
  throw new RegistryFault(`the registry answered ${answer.status}`, answer.status);
}

/** Accepts a 404 only with an OCI error body: a 404 of a proxy must not empty the index. Source: OCI distribution specification, Error Codes */
async function gone(answer: Response): Promise<ManifestState> {
  const text = (await readBody(answer, MAX_PAGE_BYTES)).toString();
  if (!/"errors"\s*:/.test(text)) throw new RegistryFault('something that is no registry answered 404');
  return { state: 'gone' };
}

async function namePage(answer: Response, field: string): Promise<NamePage> {
  const next = nextPage(answer);
  const body = parseObject(await readBody(answer, MAX_PAGE_BYTES));
  const names = body?.[field] ?? [];
  if (!body || !Array.isArray(names)) throw new RegistryFault(`the registry gave no ${field}`);
  return { names: names.filter((name) => typeof name === 'string'), next };
}

/** Verifies a body against its digest. Source: OCI image specification, Digests */
function verify(body: Buffer, digest: string, Fault = RegistryFault): void {
  const [algorithm = '', hex] = digest.split(':');
  const isKnown = algorithm === 'sha256' || algorithm === 'sha512';
  if (!isKnown || createHash(algorithm).update(body).digest('hex') !== hex)
    throw new Fault(`the registry gave other bytes than ${digest}`);
}

function sha256(body: Buffer): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`;
}
