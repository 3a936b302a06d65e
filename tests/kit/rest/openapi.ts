import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../kernel/package-root.js';
import type { Json } from '../platform.js';

/** The committed OpenAPI document. */
export const DOCUMENT: Json = JSON.parse(readFileSync(join(packageRoot(), 'schema/openapi.json'), 'utf8'));

/** All operations of the document: method and path. */
export const OPERATIONS: readonly string[] = Object.entries<object>(DOCUMENT.paths).flatMap(([path, item]) =>
  Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
);

const PATTERNS = OPERATIONS.map((name) => {
  const pattern = name.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
  return { name, pattern: new RegExp(`^${pattern}$`), parameters: name.split('{').length };
}).toSorted((a, b) => a.parameters - b.parameters);

/** Finds the operation of this method and path. */
export function operationAt(method: string, path: string): string | undefined {
  return PATTERNS.find(({ pattern }) => pattern.test(`${method} ${path}`))?.name;
}

/** Returns the description of an operation. */
export function described(operation: string): Json {
  const [method = '', path = ''] = operation.split(' ');
  return DOCUMENT.paths[path][method.toLowerCase()];
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
addFormats.default(ajv);
// Formats that ajv-formats does not have.
for (const format of ['uint64', 'binary']) ajv.addFormat(format, true);
ajv.addSchema({ $id: 'openapi', components: DOCUMENT.components });

const validators = new Map<string, ValidateFunction>();

/** Validates a value by this schema of the document. Returns the problems. */
export function faultsOf(schema: Json, value: unknown): string[] {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/');
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text) as object);
  validators.set(text, validate);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}

/** A response of one operation. */
export interface Answered {
  readonly operation: string;
  readonly status: number;
  readonly requestId: string;
  readonly type: string;
  readonly text: string;
}

/** Validates a response by the document. Returns the problems. */
export function faultsOfAnswer({ operation, status, type, text }: Answered): string[] {
  const response = described(operation).responses[status];
  if (!response) return [`${status} is not described: ${text.slice(0, 200)}`];
  const { content } = response;
  const [media = ''] = type.split(';');
  if (!content) return text === '' ? [] : [`${status} has a body`];
  if (!content[media]) return [`${status} comes as ${media}`];
  return media === 'application/json' ? faultsOf(content[media].schema, JSON.parse(text)) : [];
}

/** Records every response of the platform to `fetch` while the work runs. */
export async function recorded(origin: string, work: () => Promise<void>): Promise<Answered[]> {
  const answers: Answered[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = async (input, options) => {
    const response = await fetch(input, options);
    const url = new URL(input instanceof Request ? input.url : input);
    const operation = url.origin === origin ? operationAt(options?.method ?? 'GET', url.pathname) : undefined;
    const { status, headers } = response;
    const text = await response.clone().text();
    const requestId = headers.get('x-request-id') ?? '';
    if (operation) answers.push({ operation, status, requestId, type: headers.get('content-type') ?? '', text });
    return response;
  };
  try {
    await work();
  } finally {
    globalThis.fetch = fetch;
  }
  return answers;
}
