const SS58 = '5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8';
const ETHEREUM = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const UUID = '0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11';
const HASH = 'b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061';
/** What an upload sends, with its BLAKE3 hash. */
export const CIPHERTEXT = 'The encrypted bytes of the file.';
const CIPHERTEXT_HASH = '59ff194df47f1fa43a840fed30c570b2eaff79d1cfb50ecc3753918853889ac4';
/** BLAKE3 hashes of the paths `docs/notes.txt` and `docs/plans.txt`. */
const PATH_HASH = 'b24fe3e5bfd4694fd0dd67bdc0c9ead848200790b54bd483f120dcd791b3914e';
const NEW_PATH_HASH = '7f9726ff050f0654b755c562658f60206ebf7b0d7face6e48db88815daa64a46';
/** Ed25519 public key that verifies the example signatures. */
const SIGNING_KEY = 'c5785e1865b708938aff8161d573006496663b1aa10834e396dc566869a2c66a';
export const TIME = '2026-11-21T07:57:57.379Z';
const PEM = (kind: string) => `-----BEGIN NEBULA ${kind}-----\n…\n-----END NEBULA ${kind}-----\n`;

/** Example by field name; a string without one shows its field name. */
export const VALUE_BY_NAME: Readonly<Record<string, unknown>> = {
  account_ss58: SS58,
  address: '10.0.0.7',
  addresses: ['10.0.0.7'],
  address_range: '100.64.0.0/21',
  amount: 20,
  applied: HASH,
  balance: '25',
  base_address: SS58,
  ca: PEM('CERTIFICATE'),
  cancel_url: 'https://console.example/billing',
  cert: PEM('CERTIFICATE'),
  checkout_url: 'https://checkout.example/c/pay/cs_1',
  chunk_count: 1,
  chunk_index: 0,
  chunk_size: 1024,
  ciphertext: CIPHERTEXT,
  ciphertext_hash: CIPHERTEXT_HASH,
  ciphertext_size: CIPHERTEXT.length,
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
  file_ids: [HASH],
  file_name: 'notes.txt',
  file_type: 'document',
  filename: 'model.gguf',
  folder_hash: '37a8eec1ce19687d',
  id: UUID,
  image: 'Debian 13',
  instance_id: '1',
  ip: '100.64.0.2',
  kind: 'host',
  key: PEM('X25519 PRIVATE KEY'),
  label: 'web',
  message: 'The error message, one sentence.',
  name: 'first',
  next: '/get-token/?callback_url=https%3A%2F%2Fconsole.example%2Fauth%2Fcallback',
  ordering: '-created_at',
  path_hash: HASH,
  payment_method_types: ['card'],
  page_size: 20,
  payment_type: 'payproc',
  period_end: '2026-11-22T00:00:00.000Z',
  period_start: '2026-11-21T00:00:00.000Z',
  peer: 1,
  ports: ['443'],
  price_id: 'price_SandboxPlusMonth00001',
  price_usd: '312.5',
  previous: null,
  project: 'models',
  provider: 'google',
  public_key: 'oTjcn+g85c9UD5KNTiS31ZyKHKyetaPzJdJvBSLaFj0=',
  q: 'notes',
  quantization: 'int4',
  Range: 'bytes=0-1023',
  reference: 'latest',
  relative_path: 'docs/notes.txt',
  repo: 'llama',
  return_url: 'https://console.example/billing',
  salted_hash: HASH,
  search: 'notes',
  session_id: '8f14e45fceea167a5a36dedd4bea2543',
  signature: `0x${'1b'.repeat(65)}`,
  size_bytes: 4096,
  size_max: 1_000_000,
  size_min: 0,
  sort_by: 'updated_at',
  sort_order: 'desc',
  source: 'desktop',
  ss58: SS58,
  ss58_address: SS58,
  ssh_public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBUCK03P0zkGKd37WIoNKmENnlL9yUnj5un54pbltu+R user@host',
  substrate_address: SS58,
  success_url: 'https://console.example/billing?checkout=success',
  token: 'arch_…',
  total_size_bytes: 4_000_000_000,
  upload_id: HASH,
  username: ETHEREUM,
  uuid: UUID,
  wait: '20',
  'x-chunk-blake3': CIPHERTEXT_HASH,
};

const WALLET = { address: ETHEREUM };

/** The signed manifest of the file `docs/notes.txt`. */
const MANIFEST = {
  path_hash: PATH_HASH,
  salted_hash: HASH,
  signing_key: SIGNING_KEY,
  signature:
    'e522b7d937133ca0aa3ee708255bb5961154a2e7df0c944c03a948dfe90ebe32ae05f86a4f764c872544bf8c18a6c671bbc2ac4e713440e943fce198d279510a',
  base_revision_id: null,
  encrypted_path: '7f6e5d',
  timestamp: 1_763_712_000,
};

/** Values of single operations, by operation id. Undefined: the field is left out. */
export const VALUES_OF_OPERATION: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  RequestChallenge: WALLET,
  SignIn: { ...WALLET, challenge: UUID, substrate_signature: undefined, referral_code: undefined },
  SubstrateAddresses: { address: SS58 },
  SubstrateAddress: { address: SS58 },
  CreatePayment: { payment_type: 'onetime', price_id: undefined },
  OpenUploadSession: MANIFEST,
  UploadFile: MANIFEST,
  RenameFiles: {
    base_revision_id: HASH,
    old_path_hash: PATH_HASH,
    new_path_hash: NEW_PATH_HASH,
    new_encrypted_path: '7f6e5d',
    new_file_name: 'plans.txt',
    new_relative_path: 'docs/plans.txt',
    signing_key: SIGNING_KEY,
    signature:
      '15d3a99f587185591f65f7370286c885668b75420b915d603f1fdeb79789e0862a60fc7f336921df19e17fb8dd0fbfe3266194db8e430301727db6d880280f06',
  },
};
