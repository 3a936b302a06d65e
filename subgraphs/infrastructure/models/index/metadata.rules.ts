import { isStorable } from '../../../../kernel/scalars/text.js';
import type { ModelFile } from '../model/model.js';
import type { Packaging } from '../model/model.rules.js';
import { objectOf } from '../registry/body.js';
import { baseName, pathOf, type Descriptor, type ModelManifest } from './manifest.rules.js';
import {
  parameterCount,
  parametersInName,
  quantizationInName,
  quantizationOf,
  normalizeValue,
} from './normalize.rules.js';

/** Indexed metadata of a version; null: unknown. */
export interface ModelMetadata {
  readonly packaging: Packaging;
  readonly format: string | null;
  readonly architecture: string | null;
  readonly quantization: string | null;
  readonly parameterCount: string | null;
  readonly totalSizeBytes: string;
  readonly files: readonly ModelFile[];
  readonly searchText: string;
}

/** Maximum number of files stored per version. */
const MAX_FILES = 1_000;

type Json = Readonly<Record<string, unknown>>;

/** Metadata read from a configuration blob. */
interface ConfigMetadata {
  readonly format?: unknown;
  readonly architecture?: unknown;
  readonly parameters?: unknown;
  /** Candidates, the most specific first. */
  readonly quantization?: readonly unknown[];
  /** Additional search words. */
  readonly words?: readonly unknown[];
  /** Paths of the files, by layer. */
  readonly paths?: readonly (string | undefined)[];
}

/** The configuration reader of each packaging. */
const READERS = {
  modelpack: readModelPack,
  kitops: readKitfile,
  docker: readDocker,
  chunked: () => ({}),
  plain: () => ({}),
} as const satisfies Record<Packaging, (config: Json, layers: readonly Descriptor[]) => ConfigMetadata>;

/** Reads the metadata of a version. @param config undefined when it was too large or not a JSON object */
export function readModelMetadata(manifest: ModelManifest, config: Json | undefined, name: string): ModelMetadata {
  const { packaging, layers } = manifest;
  const fromConfig: ConfigMetadata = config ? READERS[packaging](config, layers) : {};
  const files = layers.map((layer, index) => fileOf(layer, fromConfig.paths?.[index]));
  const fromNames = readNames(files, name);
  const { quantization: quantizations = [], words = [] } = fromConfig;
  const labels = {
    format: normalizeValue(fromConfig.format) ?? fromNames.format,
    architecture: normalizeValue(fromConfig.architecture),
    quantization: quantizationOf(...quantizations) ?? fromNames.quantization,
  };
  return {
    ...labels,
    packaging,
    parameterCount: parameterCount(fromConfig.parameters) ?? fromNames.parameterCount,
    totalSizeBytes: files.reduce((sum, { sizeBytes }) => sum + BigInt(sizeBytes), 0n).toString(),
    files: files.slice(0, MAX_FILES),
    searchText: [name, ...[...Object.values(labels), ...words].map(normalizeValue)]
      .filter((word) => word !== null)
      .join('\n'),
  };
}

/** Fallback metadata from the names of files and repository. */
function readNames(files: readonly ModelFile[], name: string) {
  const weights = files.find(({ format }) => format !== null && WEIGHT_FORMATS.has(format));
  const isDiffusers = files.some(({ filename }) => baseName(filename) === 'model_index.json');
  const weightName = baseName(weights?.filename ?? '');
  return {
    format: isDiffusers ? 'diffusers' : (weights?.format ?? null),
    quantization: quantizationInName(weightName),
    parameterCount: parametersInName(weightName) ?? parametersInName(baseName(name)),
  };
}

/** Source: ModelPack, Model Artifact Configuration */
function readModelPack(content: Json): ConfigMetadata {
  const config = objectOf(content.config) ?? {};
  const descriptor = objectOf(content.descriptor) ?? {};
  return {
    format: config.format,
    architecture: config.architecture ?? descriptor.family,
    parameters: config.paramSize ?? config.parameterSize,
    quantization: [config.quantization, config.precision],
    words: [descriptor.family, descriptor.name, descriptor.title, descriptor.vendor],
  };
}

/** Source: Docker, Model Artifact Configuration */
function readDocker(content: Json): ConfigMetadata {
  const config = objectOf(content.config) ?? {};
  const gguf = objectOf(config.gguf) ?? {};
  return {
    format: config.format,
    architecture: config.architecture ?? gguf['general.architecture'],
    parameters: config.parameters,
    quantization: [config.quantization],
    words: [objectOf(content.descriptor)?.title],
  };
}

/** A Kitfile as JSON; the content of `parameters` is not specified. Source: KitOps, Kitfile format */
function readKitfile(kitfile: Json, layers: readonly Descriptor[]): ConfigMetadata {
  const model = objectOf(kitfile.model) ?? {};
  const parameters = objectOf(model.parameters) ?? {};
  const kitPackage = objectOf(kitfile.package) ?? {};
  return {
    format: model.format,
    architecture: parameters.architecture ?? parameters.model_type ?? model.framework,
    parameters: parameters.parameter_count ?? parameters.paramSize ?? parameters.parameters ?? parametersIn(model.name),
    quantization: [parameters.quantization, parameters.precision, quantizationIn(model.name)],
    words: [kitPackage.name, kitPackage.description, model.name, model.framework],
    paths: kitPaths(kitfile, layers),
  };
}

const parametersIn = (name: unknown) => (typeof name === 'string' ? parametersInName(name) : null);
const quantizationIn = (name: unknown) => (typeof name === 'string' ? quantizationInName(name) : null);

/** Paths from a Kitfile, which lists the files of each kind of layer in order. */
function kitPaths(kitfile: Json, layers: readonly Descriptor[]): (string | undefined)[] {
  const model = objectOf(kitfile.model);
  const listed: Readonly<Record<string, unknown>> = {
    model: model && [model],
    modelpart: model?.parts,
    code: kitfile.code,
    dataset: kitfile.datasets,
    docs: kitfile.docs,
  };
  const used: Record<string, number> = {};
  return layers.map(({ mediaType }) => {
    const kind = /^application\/vnd\.kitops\.modelkit\.([a-z]+)\./.exec(mediaType)?.[1] ?? '';
    const place = (used[kind] = (used[kind] ?? -1) + 1);
    const entries = listed[kind];
    const path = Array.isArray(entries) ? objectOf(entries[place])?.path : undefined;
    return typeof path === 'string' ? path.replace(/^\.\//, '') : undefined;
  });
}

/** File formats by extension. */
const FORMATS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    gguf: 'gguf',
    ggml: 'ggml',
    safetensors: 'safetensors',
    onnx: 'onnx',
    pt: 'pytorch',
    pth: 'pytorch',
    bin: 'pytorch',
    ckpt: 'pytorch',
    h5: 'keras',
    keras: 'keras',
    tflite: 'tflite',
    pb: 'tensorflow',
    mlmodel: 'coreml',
    engine: 'tensorrt',
  }),
);

const WEIGHT_FORMATS: ReadonlySet<string> = new Set(FORMATS.values());

/** Maximum length of a stored path. */
const MAX_PATH_LENGTH = 1000;

function fileOf(layer: Descriptor, listedPath: string | undefined): ModelFile {
  const path = pathOf(layer) ?? listedPath;
  const filename = path !== undefined && path !== '' && isStorable(path) ? truncatePath(path) : layer.digest;
  return { filename, format: fileFormat(filename, layer.mediaType), sizeBytes: layer.sizeBytes };
}

/** Truncates a path without splitting a surrogate pair. */
function truncatePath(path: string): string {
  return path.slice(0, MAX_PATH_LENGTH).replace(/\p{Surrogate}$/u, '');
}

function fileFormat(filename: string, mediaType: string): string | null {
  const extension = /\.([a-z0-9]{1,20})$/i.exec(filename)?.[1]?.toLowerCase();
  const byType = /\b(gguf|safetensors|onnx)\b/.exec(mediaType)?.[1];
  if (byType !== undefined) return byType;
  return extension === undefined ? null : (FORMATS.get(extension) ?? extension);
}
