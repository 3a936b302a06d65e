import type { Packaging } from '../model/model.rules.js';
import { isVerifiableDigest } from '../model/name.rules.js';
import { objectOf, parseObject } from '../registry/body.js';

/** Something a manifest names. Source: OCI image specification, Descriptors */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly sizeBytes: number;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A manifest of a model. */
export interface ModelManifest {
  readonly packaging: Packaging;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  readonly annotations: Readonly<Record<string, string>>;
}

/** Files that a version may have; a manifest of 4 MiB has room for no more. */
const MAX_LAYERS = 20_000;

/** Bytes of all of them together: what a number of 64 bits holds. */
const MAX_BYTES = 2n ** 63n - 1n;

/** How media types of configurations begin, and what they say. The CNCF's were called CNAI's before. */
const PACKAGINGS: readonly (readonly [beginning: string, Packaging])[] = [
  ['application/vnd.cncf.model.', 'modelpack'],
  ['application/vnd.cnai.model.', 'modelpack'],
  ['application/vnd.kitops.modelkit.', 'kitops'],
  ['application/vnd.docker.ai.', 'docker'],
];

/** Configurations of what runs instead of being loaded, and of what is said about other artifacts. */
const NO_MODELS =
  /^application\/vnd\.(?:oci\.image\.config|docker\.container\.image|cncf\.helm|dev\.cosign|dev\.sigstore|cncf\.notary|in-toto)/;

/** Names of files with weights in them. */
const WEIGHTS = /\.(?:gguf|ggml|safetensors|onnx|pt|pth|ckpt|h5|keras|tflite|pb|mlmodel|engine)$|^model_index\.json$/i;

/** The manifest of a model; undefined for anything else, e.g. a container image. */
export function readManifest(body: Buffer): ModelManifest | undefined {
  const manifest = parseObject(body);
  const config = readDescriptor(manifest?.config);
  if (!manifest || !config || !Array.isArray(manifest.layers) || manifest.layers.length > MAX_LAYERS) return undefined;
  const blobs = manifest.layers.map(readDescriptor).filter((layer) => layer !== undefined);
  if (blobs.length !== manifest.layers.length) return undefined;
  const layers = filesOf(blobs);
  if (layers.reduce((sum, { sizeBytes }) => sum + BigInt(sizeBytes), 0n) > MAX_BYTES) return undefined;
  const packaging = packagingOf([manifest.artifactType, config.mediaType], layers);
  return packaging && { packaging, config, layers, annotations: textsOf(manifest.annotations) };
}

/**
 * The layers that are files. A file may be pushed in chunks: one layer has its name and points to layers without a name,
 * which hold its bytes. Source: layouts `chunked-v1` and `chunked-v2` of the model-hub client
 */
function filesOf(layers: readonly Descriptor[]): Descriptor[] {
  const files = layers.map((layer) => ({ ...layer, sizeBytes: chunkedSize(layer) ?? layer.sizeBytes }));
  const isChunked = layers.some((layer) => chunkedSize(layer) !== undefined);
  return isChunked ? files.filter((file) => pathOf(file) !== undefined) : files;
}

/** The size of the file that a layer points to; undefined where it is no pointer. */
function chunkedSize(layer: Descriptor): number | undefined {
  const text = layer.annotations['com.hippius.file.size'];
  if (text === undefined || !/^\d{1,16}$/.test(text) || pathOf(layer) === undefined) return undefined;
  return Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}

/** A file’s path as the packagers note it; undefined where they do not. Source: ModelPack annotations; OCI image specification, Annotations */
export function pathOf({ annotations }: Descriptor): string | undefined {
  return (
    annotations['org.cncf.model.filepath'] ??
    annotations['org.cnai.model.filepath'] ??
    annotations['org.opencontainers.image.title']
  );
}

function packagingOf(types: readonly unknown[], layers: readonly Descriptor[]): Packaging | undefined {
  const words = types.filter((type) => typeof type === 'string');
  const known = PACKAGINGS.find(([beginning]) => words.some((type) => type.startsWith(beginning)));
  if (known) return known[1];
  if (words.some((type) => NO_MODELS.test(type))) return undefined;
  // Whoever pushes files as they are names them: they are a model where one of them has weights.
  const isModel = layers.some((layer) => WEIGHTS.test(baseName(pathOf(layer) ?? '')));
  return isModel ? 'plain' : undefined;
}

/** What is behind the last slash. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function readDescriptor(value: unknown): Descriptor | undefined {
  const { mediaType, digest, size, annotations } = objectOf(value) ?? {};
  if (typeof mediaType !== 'string' || !isVerifiableDigest(digest)) return undefined;
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return undefined;
  return { mediaType, digest, sizeBytes: size, annotations: textsOf(annotations) };
}

function textsOf(value: unknown): Record<string, string> {
  const texts = Object.entries(objectOf(value) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}
