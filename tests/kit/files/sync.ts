import { blake3 } from '@noble/hashes/blake3.js';
import { randomBytes } from 'node:crypto';
import { FORM_TYPE, formOf, manifestFor, send, signed, type Part, type RawReply } from './bytes.js';
import { call, type Json, type Reply } from '../platform.js';
import type { SignedIn } from '../accounts/wallet.js';

/** Hash of the label `default`. Source: vectors.json, folderHash */
export const DEFAULT_HASH = '37a8eec1ce19687d';
/** Hash of the label `alpha`. */
export const ALPHA_HASH = '8ed3f6ad685b959e';

/** The ways in which clients send a file. */
export const DIALECTS = ['the drive SDK', 'curl', 'FormData'] as const;
export type FormDialect = (typeof DIALECTS)[number];

const OCTETS = 'application/octet-stream';
const PARTS: Readonly<Record<FormDialect, readonly [Partial<Part>, Partial<Part>]>> = {
  'the drive SDK': [{ type: 'application/json' }, { type: OCTETS }],
  curl: [
    { fileName: 'm.json', type: 'application/json' },
    { fileName: 'c.bin', type: OCTETS },
  ],
  FormData: [{}, { fileName: 'blob', type: OCTETS }],
};

/** Encodes the form that uploads a file. */
export function uploadForm(manifest: Json, bytes: Buffer, dialect: FormDialect = 'the drive SDK'): Buffer {
  const [first, second] = PARTS[dialect];
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  return formOf([
    { name: 'manifest', bytes: text, ...first },
    { name: 'ciphertext', bytes, ...second },
  ]);
}

/** The file that a test uploads, with random bytes by default. */
export interface FilePlan {
  readonly bytes?: Buffer;
  /** Replaces fields of the manifest. */
  readonly manifest?: Json;
  readonly dialect?: FormDialect;
  readonly token?: string;
}

/** Returns a manifest with name and path. */
export function manifestOf(user: SignedIn, path: string, bytes: Buffer, changes: Json = {}): Json {
  const names = { file_name: path.split('/').at(-1), relative_path: path, size_bytes: bytes.length };
  return { ...manifestFor(user, path, blake3(bytes)), ...names, ...changes };
}

/** Uploads a file in one request and returns the reply. */
export function tryUpload(user: SignedIn, path: string, plan: FilePlan = {}): Promise<RawReply> {
  const bytes = plan.bytes ?? randomBytes(50);
  return postForm(
    uploadForm(manifestOf(user, path, bytes, plan.manifest), bytes, plan.dialect),
    plan.token ?? user.token,
  );
}

export function postForm(form: Buffer, token: string | undefined): Promise<RawReply> {
  return send('POST /upload', form, { ...(token !== undefined && { token }), headers: { 'content-type': FORM_TYPE } });
}

/** A stored file. */
export interface StoredFile {
  readonly path: string;
  readonly fileId: string;
  readonly pathHash: number[];
  readonly revisionId: number[];
  readonly revisionSeq: number;
  readonly bytes: Buffer;
}

/** Uploads a file in one request. @throws when it fails */
export async function store(user: SignedIn, path: string, plan: FilePlan = {}): Promise<StoredFile> {
  const bytes = plan.bytes ?? randomBytes(50);
  const { status, body } = await tryUpload(user, path, { ...plan, bytes });
  if (status !== 200) throw new Error(`the upload was refused: ${JSON.stringify(body)}`);
  const manifest = manifestOf(user, path, bytes, plan.manifest);
  return {
    path,
    fileId: Buffer.from(manifest.path_hash).toString('hex'),
    pathHash: manifest.path_hash,
    revisionId: body.Success.revision_id,
    revisionSeq: manifest.revision_seq,
    bytes,
  };
}

/** Returns the manifest fields of the next revision of a file. */
export function following({ revisionId, revisionSeq }: StoredFile, changes: Json = {}): Json {
  return { base_revision_id: revisionId, revision_seq: revisionSeq + 1, ...changes };
}

/** Uploads a file as an object-store gateway does. */
export function uploadPlain(user: SignedIn, fileName: string, bytes: Buffer, token = user.token): Promise<RawReply> {
  const parts = [
    { name: 'account_ss58', bytes: user.substrateAddress },
    { name: 'file', fileName, type: OCTETS, bytes },
  ];
  return postForm(formOf(parts), token);
}

/** Requests the state of a folder. @param query with its question mark */
export function stateOf(user: SignedIn, query = '', folder = DEFAULT_HASH): Promise<Reply> {
  return call(`GET /get_state/${user.substrateAddress}/${folder}${query}`, { token: user.token });
}

/** Registers a folder as a client does. */
export function register(user: SignedIn, label: string, folder_hash: string): Promise<Reply> {
  return call('POST /register_folder', {
    token: user.token,
    body: { ss58_address: user.substrateAddress, folder_hash, label },
  });
}

/** Lists the folders of a user. */
export async function foldersOf({ substrateAddress, token }: SignedIn): Promise<Json[]> {
  return (await call(`GET /list_folders/${substrateAddress}`, { token })).body.Success.folders;
}

/** Returns the BLAKE3 hash of a path, as numbers. */
export function pathHashOf(path: string): number[] {
  return [...blake3(Buffer.from(path))];
}

/** Returns one entry of a rename request. */
export function renameOf(file: StoredFile, path: string, changes: Json = {}): Json {
  return {
    old_path_hash: file.pathHash,
    new_path_hash: pathHashOf(path),
    new_encrypted_path: [9, 8, 7],
    new_file_name: path.split('/').at(-1),
    new_relative_path: path,
    base_revision_id: file.revisionId,
    ...changes,
  };
}

const hex = (bytes: number[]) => Buffer.from(bytes).toString('hex');

/** Returns a signed rename request. @param changes replaces its fields */
export function renaming(user: SignedIn, renames: readonly Json[], changes: Json = {}): Json {
  const pairs = renames.map(({ old_path_hash, new_path_hash }) => `${hex(old_path_hash)}:${hex(new_path_hash)}`);
  const sentence = `I hereby declare that I am renaming the following files on HCFS with the understanding that I have read and agree to the Terms of Service: ${pairs.toSorted().join(',')}`;
  return {
    ss58_address: user.substrateAddress,
    folder_hash: DEFAULT_HASH,
    renames,
    ...signed(sentence),
    ...changes,
  };
}

export function rename(user: SignedIn, renames: readonly Json[], changes: Json = {}): Promise<Reply> {
  return call('POST /rename_files', { token: user.token, body: renaming(user, renames, changes) });
}

/** Returns the file names of a response. */
export const namesIn = (files: readonly Json[]): string[] => files.map(({ file_name }) => file_name);

/** Executes a GraphQL operation with these bytes as the variable `file`. */
export async function graphqlWithFile(
  query: string,
  { variables, bytes, token }: { readonly variables: Json; readonly bytes: Buffer; readonly token: string },
): Promise<Json> {
  const parts = [
    { name: 'operations', bytes: JSON.stringify({ query, variables: { ...variables, file: null } }) },
    { name: 'map', bytes: '{"0": ["variables.file"]}' },
    { name: '0', fileName: 'x', bytes },
  ];
  const headers = { 'content-type': FORM_TYPE, 'apollo-require-preflight': '1' };
  return (await send('POST /graphql', formOf(parts), { token, headers })).body;
}
