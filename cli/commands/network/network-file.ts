import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { UsageError } from '../../failure.js';
import { readText } from '../../input.js';

/** A file that describes a network. */
export interface NetworkFile {
  /** The platform checks its fields. */
  readonly document: object;
  /** Puts the file, line and column before a refusal of the platform. */
  readonly atPlace: (refusal: string) => string;
}

/** Reads a YAML file; `-` is standard input. @throws UsageError when it has no mapping */
export async function readNetworkFile(file: string): Promise<NetworkFile> {
  const text = await readText(file);
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines });
  const [fault] = yaml.errors;
  if (fault) throw new UsageError(`${file} is not YAML: ${fault.message}`);
  if (!isMap(yaml.contents)) throw new UsageError(`${file} is no mapping of groups, peers, policies and networks.`);
  const atPlace = (refusal: string) => {
    const [, variable = '', path = '', field] = REFUSAL.exec(refusal) ?? [];
    const { line, col } = lines.linePos(offsetOf(yaml, keysOf(path), field));
    return `${file}:${line}:${col}: ${refusal.slice(variable.length)}`;
  };
  return { document: yaml.toJS() as object, atPlace };
}

/** The name of the variable, the path to the entry in it, and the name of an unknown field. */
const REFUSAL = /^(document\.)?(?:([\w.[\]]+): )?(?:Field "(\w+)")?/;

/** @param path such as `policies[0].source` */
function keysOf(path: string): (string | number)[] {
  return path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key));
}

/** Returns the offset of an entry, or of the key of its field if it has this field. */
function offsetOf(yaml: Document, keys: readonly (string | number)[], field: string | undefined): number {
  const entry = keys.length === 0 ? yaml.contents : yaml.getIn(keys, true);
  const key = isMap(entry)
    ? entry.items.find((pair) => isScalar(pair.key) && pair.key.value === field)?.key
    : undefined;
  return (isNode(key) ? key : isNode(entry) ? entry : yaml.contents)?.range?.[0] ?? 0;
}
