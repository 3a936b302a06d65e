import type { Packaging } from '../model/model.rules.js';
import { isVerifiableDigest } from '../model/name.rules.js';
import { objectOf, parseObject } from '../registry/body.js';

/** A content descriptor. Source: OCI image specification, Descriptors */
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

/** Maximum number of files of a version; a manifest of 4 MiB has room for no more. */
const MAX_LAYERS = 20_000;

/** Maximum total size in bytes: fits a signed 64-bit integer. */
const MAX_BYTES = 2n ** 63n - 1n;

/** Packaging by the prefix of the configuration media type. CNCF types were formerly named CNAI. */
const PACKAGINGS: readonly (readonly [beginning: string, Packaging])[] = [
  ['application/vnd.cncf.model.', 'modelpack'],
  ['application/vnd.cnai.model.', 'modelpack'],
  ['application/vnd.kitops.modelkit.', 'kitops'],
  ['application/vnd.docker.ai.', 'docker'],
];

/** Media types of container images, charts, signatures and attestations, which are not models. */
const NO_MODELS =
  /^application\/vnd\.(?:oci\.image\.config|docker\.container\.image|cncf\.helm|dev\.cosign|dev\.sigstore|cncf\.notary|in-toto)/;

/** File names of model weights. */
const WEIGHTS = /\.(?:gguf|ggml|safetensors|onnx|pt|pth|ckpt|h5|keras|tflite|pb|mlmodel|engine)$|^model_index\.json$/i;

/** The manifest of a model; undefined for anything else, e.g. a container image. */
export function readManifest(body: Buffer): ModelManifest | undefined {
  const manifest = parseObject(body);
  const config = readDescriptor(manifest?.config);
  if (!manifest || !config || !Array.isArray(manifest.layers) || manifest.layers.length > MAX_LAYERS) return undefined;
  const blobs = manifest.layers.map(readDescriptor).filter((layer) => layer !== undefined);
  if (blobs.length !== manifest.layers.length) return undefined;
  const isChunked = blobs.some((layer) => chunkedSize(layer) !== undefined);
  const layers = filesOf(blobs, isChunked);
  if (layers.reduce((sum, { sizeBytes }) => sum + BigInt(sizeBytes), 0n) > MAX_BYTES) return undefined;
  const packaging = packagingOf([manifest.artifactType, config.mediaType], layers, isChunked);
  return packaging && { packaging, config, layers, annotations: textsOf(manifest.annotations) };
}

/**
 * The layers that are files. A file may be pushed in chunks: one layer has its name and points to layers without a name,
 * which hold its bytes. The client that pushes them calls
 * the layouts `chunked-v1` and `chunked-v2`.
 */
function filesOf(layers: readonly Descriptor[], isChunked: boolean): Descriptor[] {
  const files = layers.map((layer) => ({ ...layer, sizeBytes: chunkedSize(layer) ?? layer.sizeBytes }));
  return isChunked ? files.filter((file) => pathOf(file) !== undefined) : files;
}

/** File size from a pointer layer; undefined for other layers. */
function chunkedSize(layer: Descriptor): number | undefined {
  const text = layer.annotations['com.hippius.file.size'];
  if (text === undefined || !/^\d{1,16}$/.test(text) || pathOf(layer) === undefined) return undefined;
  return Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}

/** Path of a file from its annotations; undefined when there is none. Source: ModelPack annotations; OCI image specification, Annotations */
export function pathOf({ annotations }: Descriptor): string | undefined {
  return (
    annotations['org.cncf.model.filepath'] ??
    annotations['org.cnai.model.filepath'] ??
    annotations['org.opencontainers.image.title']
  );
}

function packagingOf(
  types: readonly unknown[],
  layers: readonly Descriptor[],
  isChunked: boolean,
): Packaging | undefined {
  const words = types.filter((type) => typeof type === 'string');
  const known = PACKAGINGS.find(([beginning]) => words.some((type) => type.startsWith(beginning)));
  if (known) return known[1];
  if (words.some((type) => NO_MODELS.test(type))) return undefined;
  // Plain files: an artifact is a model when one of its files holds weights.
  const isModel = layers.some((layer) => WEIGHTS.test(baseName(pathOf(layer) ?? '')));
  if (!isModel) return undefined;
  return isChunked ? 'chunked' : 'plain';
}

/** The part after the last slash. */
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
