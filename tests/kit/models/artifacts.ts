import { until } from '../watch.js';
import { call, type Json, type Reply } from '../platform.js';
import { digestOf, REGISTRY_TOKEN } from './registry.js';

/** A file of an artifact. Its bytes are never pushed, because nothing reads them. */
interface Layer {
  readonly mediaType: string;
  readonly size: number;
  readonly path?: string;
  readonly annotation?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface Artifact {
  readonly artifactType?: string;
  readonly configType: string;
  readonly config: object | string;
  readonly layers: readonly Layer[];
  readonly annotations?: Readonly<Record<string, string>>;
}

const OCI_MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

/** A model packed as the CNCF's ModelPack. */
export function modelPack(config: object = {}, descriptor: object = {}, size = 1000): Artifact {
  return {
    artifactType: 'application/vnd.cncf.model.manifest.v1+json',
    configType: 'application/vnd.cncf.model.config.v1+json',
    config: { descriptor, config, modelfs: { type: 'layers', diffIds: [] } },
    layers: [
      { mediaType: 'application/vnd.cncf.model.weight.v1.raw', size, path: 'model.safetensors' },
      { mediaType: 'application/vnd.cncf.model.doc.v1.raw', size: 20, path: 'README.md' },
    ],
  };
}

/** A model packed by KitOps. */
export function modelKit(model: object, more: object = {}): Artifact {
  return {
    configType: 'application/vnd.kitops.modelkit.config.v1+json',
    config: { manifestVersion: '1.0.0', package: { name: 'kit' }, model, ...more },
    layers: [
      { mediaType: 'application/vnd.kitops.modelkit.model.v1.tar+gzip', size: 500 },
      { mediaType: 'application/vnd.kitops.modelkit.code.v1.tar+gzip', size: 50 },
      { mediaType: 'application/vnd.kitops.modelkit.code.v1.tar+gzip', size: 5 },
    ],
  };
}

/** Plain files, as `oras push` creates them. */
export function plainFiles(...files: readonly (readonly [path: string, size: number])[]): Artifact {
  return {
    configType: 'application/vnd.oci.empty.v1+json',
    config: '{}',
    layers: files.map(([path, size]) => ({
      mediaType: 'application/octet-stream',
      size,
      path,
      annotation: 'org.opencontainers.image.title',
    })),
  };
}

/** The media type of layers without a name, by version of the layout. */
const CHUNK_TYPES = { 1: 'application/vnd.hippius.chunk.v1', 2: 'application/vnd.hippius.pack.v1' } as const;

/** A file in chunks, as clients of `chunked-v1` push large files: a pointer layer with a name and packs without one. */
export function chunkedFile(
  path: string,
  sizeBytes: number | string,
  chunks: readonly number[],
  version: 1 | 2 = 2,
): Artifact {
  const pointer = {
    mediaType: `application/vnd.hippius.pointer.v${version}`,
    size: 220,
    path,
    annotation: 'org.opencontainers.image.title',
    annotations: {
      'com.hippius.file.size': `${sizeBytes}`,
      'com.hippius.file.digest': digestOf(path),
      'com.hippius.chunk.count': '3',
    },
  };
  return {
    artifactType: `application/vnd.hippius.chunked.v${version}`,
    configType: 'application/vnd.oci.empty.v1+json',
    config: '{}',
    layers: [pointer, ...chunks.map((size) => ({ mediaType: CHUNK_TYPES[version], size }))],
    annotations: { 'com.hippius.layout': `chunked-v${version}` },
  };
}

/** Returns the manifest of an artifact, its configuration and both digests. */
export function manifestOf({ artifactType, configType, config, layers, annotations }: Artifact) {
  const configBody = typeof config === 'string' ? config : JSON.stringify(config);
  const body = JSON.stringify({
    schemaVersion: 2,
    mediaType: OCI_MANIFEST,
    ...(artifactType !== undefined && { artifactType }),
    config: { mediaType: configType, digest: digestOf(configBody), size: Buffer.byteLength(configBody) },
    layers: layers.map(
      ({ mediaType, size, path, annotation = 'org.cncf.model.filepath', annotations: more }, place) => ({
        mediaType,
        digest: digestOf(`layer ${place} ${path}`),
        size,
        ...(path !== undefined && { annotations: { [annotation]: path, ...more } }),
      }),
    ),
    ...(annotations && { annotations }),
  });
  return { body, configBody, digest: digestOf(body) };
}

/** Returns the URL of the registry that platforms under test index. */
export function sharedRegistry(): string {
  return process.env.REGISTRY_UNDER_TEST ?? '';
}

/** Pushes an artifact as clients do: the configuration, then the manifest. @returns its digest */
export async function push(name: string, tag: string, artifact: Artifact, url = sharedRegistry()): Promise<string> {
  const { body, configBody, digest } = manifestOf(artifact);
  await put('POST', `${url}/v2/${name}/blobs/uploads/?digest=${digestOf(configBody)}`, configBody);
  await put('PUT', `${url}/v2/${name}/manifests/${tag === '' ? digest : tag}`, body);
  return digest;
}

/** Deletes a tag or, by its digest, a manifest with all its tags. */
export async function remove(name: string, reference: string, url = sharedRegistry()): Promise<void> {
  await put('DELETE', `${url}/v2/${name}/manifests/${reference}`);
}

async function put(method: string, url: string, body?: string): Promise<void> {
  const headers = { 'content-type': OCI_MANIFEST };
  const { ok, status } = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  if (!ok) throw new Error(`the registry of the tests answered ${status} to ${method} ${url}`);
}

interface Notice {
  readonly action?: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** Notifies the platform as the registry does. */
export function notifyModels(name: string, notice: Notice, url?: string): Promise<Reply> {
  const { action = 'push', tag, digest } = notice;
  const target = { mediaType: OCI_MANIFEST, repository: name, tag, digest };
  return sendEvents({ events: [{ id: 'x', action, target, request: {} }] }, REGISTRY_TOKEN, url);
}

export function sendEvents(envelope: unknown, token: string, url?: string): Promise<Reply> {
  return call('POST /api/models/notifications/', {
    rawBody: typeof envelope === 'string' ? envelope : JSON.stringify(envelope),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/vnd.docker.distribution.events.v1+json',
    },
    ...(url !== undefined && { url }),
  });
}

/** Pushes an artifact and notifies the platform. @returns the digest */
export async function publish(name: string, tag: string, artifact: Artifact): Promise<string> {
  const digest = await push(name, tag, artifact);
  await notifyModels(name, { tag, digest });
  return digest;
}

/** Returns the two path segments of a repository name. */
export function pathOf(name: string): string {
  const [project = '', ...rest] = name.split('/');
  return `${project}/${encodeURIComponent(rest.join('/'))}`;
}

/** Pushes, notifies and waits until the version is listed. @param token of a user who may see it @returns its digest */
export async function publishAndWait(name: string, tag: string, artifact: Artifact, token?: string): Promise<string> {
  const digest = await publish(name, tag, artifact);
  const who = token === undefined ? {} : { token };
  await until(async () => {
    const { status, body } = await call(`GET /api/models/${pathOf(name)}/${tag}/`, who);
    return status === 200 && body.digest === digest;
  });
  return digest;
}

/** Configuration of the models in tests. */
export const LLAMA = { architecture: 'llama', format: 'safetensors', paramSize: '8b', precision: 'bf16' };

export const modelsOf = async (query: string, who: { token?: string; url?: string } = {}): Promise<Json> =>
  (await call(`GET /api/models/${query}`, who)).body;
