import type { JsonSchema } from './shapes.js';

const SS58 = '5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8';
const ETHEREUM = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const UUID = '0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11';
const HASH = 'b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061';
const TIME = '2026-11-21T07:57:57.379Z';
const PEM = (kind: string) => `-----BEGIN NEBULA ${kind}-----\n…\n-----END NEBULA ${kind}-----\n`;

/** Examples by the name of a field. Other strings have their name as the example. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  account_ss58: SS58,
  address: ETHEREUM,
  address_range: '100.64.0.0/21',
  amount: 20,
  applied: HASH,
  balance: '25',
  base_address: SS58,
  ca: PEM('CERTIFICATE'),
  cancel_url: 'https://console.example/billing',
  cert: PEM('CERTIFICATE'),
  checkout_url: 'https://checkout.example/c/pay/cs_1',
  chunk_count: 5,
  chunk_index: 0,
  chunk_size: 1024,
  ciphertext_hash: HASH,
  ciphertext_size: 5000,
  config: 'pki:\n  ca: …\n',
  created: TIME,
  credits: 20,
  credits_per_hour: 0.008,
  currency: 'USD',
  date_from: 1_763_000_000,
  date_to: 1_764_000_000,
  digest: `sha256:${HASH}`,
  email: 'user@example.org',
  expires_in: 300,
  file_id: HASH,
  file_name: 'notes.txt',
  filename: 'model.gguf',
  folder_hash: '37a8eec1ce19687d',
  id: UUID,
  image: 'Debian 13',
  instance_id: '1',
  ip: '100.64.0.2',
  key: PEM('X25519 PRIVATE KEY'),
  label: 'web',
  message: 'The error message, one sentence.',
  name: 'first',
  next: '/get-token/?callback_url=https%3A%2F%2Fconsole.example%2Fauth%2Fcallback',
  ordering: '-created_at',
  old_path_hash: HASH,
  new_path_hash: HASH,
  path_hash: HASH,
  payment_method_types: ['card'],
  payment_type: 'payproc',
  period_end: '2026-11-22T00:00:00.000Z',
  period_start: '2026-11-21T00:00:00.000Z',
  peer: 1,
  ports: ['443'],
  price_id: 'price_1QabcdEFGHijkl',
  price_usd: '312.5',
  previous: null,
  project: 'models',
  provider: 'google',
  q: 'notes',
  quantization: 'int4',
  Range: 'bytes=0-1023',
  reference: 'latest',
  relative_path: 'docs/notes.txt',
  repo: 'llama',
  return_url: 'https://console.example/billing',
  salted_hash: HASH,
  session_id: '8f14e45fceea167a5a36dedd4bea2543',
  signature: `0x${'1b'.repeat(65)}`,
  size_bytes: 4096,
  ss58: SS58,
  ss58_address: SS58,
  ssh_public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI… user@host',
  substrate_address: SS58,
  success_url: 'https://console.example/billing?checkout=success',
  token: 'arch_…',
  total_size_bytes: 4_000_000_000,
  upload_id: HASH,
  username: ETHEREUM,
  uuid: UUID,
  wait: '20',
};

const BY_FORMAT: Readonly<Record<string, unknown>> = {
  'date-time': TIME,
  uri: 'https://cloud.example/?page=2',
  binary: '…',
};

/** Objects nested deeper than this are shown empty. */
const MAX_DEPTH = 8;

interface Composed {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** Writes examples for schemas, from the names of their fields. */
export class Examples {
  constructor(private readonly components: Readonly<Record<string, JsonSchema>>) {}

  /** A value that is valid for the schema. */
  of(schema: JsonSchema, name = '', depth = 0): unknown {
    const { $ref, allOf, examples, default: preset, properties } = schema as Composed;
    const [given = preset] = examples ?? [];
    if (given !== undefined) return given;
    const inner = (of: JsonSchema) => this.of(of, name, depth + 1);
    const single = this.single($ref, schema);
    if (single) return inner(single);
    if (allOf) return Object.assign({}, ...allOf.map(inner)) as object;
    return this.record(properties, depth) ?? this.plain(schema, name, depth);
  }

  /** The schema of a reference, or the first of `anyOf`. */
  private single($ref: string | undefined, { anyOf }: Composed): JsonSchema | undefined {
    return $ref === undefined ? anyOf?.[0] : this.components[$ref.split('/').at(-1) ?? ''];
  }

  private record(properties: Composed['properties'], depth: number): object | undefined {
    if (!properties) return undefined;
    if (depth > MAX_DEPTH) return {};
    const fields = Object.entries(properties).map(([name, shape]) => [name, this.of(shape, name, depth + 1)] as const);
    return Object.fromEntries(fields);
  }

  private plain(schema: JsonSchema, name: string, depth: number): unknown {
    const { enum: choices, format, items } = schema;
    const types = [schema.type].flat();
    if (Array.isArray(choices)) return choices[0] as unknown;
    const known = format === 'uri' ? undefined : BY_NAME[name];
    if (known !== undefined && isOfType(known, types) && suits(known, schema)) return known;
    if (typeof format === 'string' && format in BY_FORMAT) return BY_FORMAT[format];
    if (types.includes('array')) return [this.of((items ?? {}) as JsonSchema, name, depth + 1)];
    return byType(schema, types, name);
  }
}

function byType({ additionalProperties, pattern }: JsonSchema, types: readonly unknown[], name: string): unknown {
  if (types.includes('boolean')) return true;
  if (types.includes('integer') || types.includes('number')) return 1;
  if (types.includes('string')) return pattern === undefined ? name : '1';
  if (types.includes('null')) return null;
  return additionalProperties ? { other: 2, other_bytes: 4096 } : {};
}

function isOfType(value: unknown, types: readonly unknown[]): boolean {
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value === 'number')
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  return types.includes(typeof value);
}

function suits(value: unknown, { pattern }: JsonSchema): boolean {
  return typeof pattern !== 'string' || typeof value !== 'string' || new RegExp(pattern).test(value);
}
