import { randomBytes } from 'node:crypto';
import { FORM_TYPE, formOf } from '../files/bytes.js';
import { call, platform, type Json } from '../platform.js';
import { DEFAULT_HASH, manifestOf, pathHashOf, register, rename, renameOf, store, uploadForm } from '../files/sync.js';
import { signIn, type SignedIn } from '../accounts/wallet.js';

const BYTES = randomBytes(300);

/** Sends bytes as a client does and returns the response. */
async function send({ token }: SignedIn, target: string, bytes: Buffer, type: string): Promise<Json> {
  const [method = '', path = ''] = target.split(' ');
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  const response = await fetch(platform().url + path, { method, headers, body: new Uint8Array(bytes) });
  return response.json();
}

/** Calls every folder-sync route successfully. */
export async function useFolders(): Promise<void> {
  const user = await signIn();
  const { token, substrateAddress: owner } = user;
  await register(user, 'default', DEFAULT_HASH);
  await uploadInChunks(user);
  const stored = await store(user, 'c.txt');
  const withoutPath = { file_name: null, relative_path: null };
  for (const [path, changes] of [
    ['a.txt', {}],
    ['b.txt', withoutPath],
  ] as const)
    await send(user, 'POST /upload', uploadForm(manifestOf(user, path, BYTES, changes), BYTES), FORM_TYPE);
  const parts = [
    { name: 'account_ss58', bytes: owner },
    { name: 'file', fileName: 'plain.txt', type: 'application/octet-stream', bytes: BYTES },
  ];
  const plain = await send(user, 'POST /upload', formOf(parts), FORM_TYPE);
  const idOf = (path: string) => Buffer.from(pathHashOf(path)).toString('hex');
  const folder = `${owner}/${DEFAULT_HASH}`;
  const lists = ['list_folders', 'search_files', 'get_user_summary', 'get_file_type_summary', 'get_source_summary'];
  for (const list of lists) await call(`GET /${list}/${owner}`, { token });
  for (const list of ['get_state', 'browse', 'list_folder_entries']) await call(`GET /${list}/${folder}`, { token });
  for (const path of [`${folder}/${idOf('a.txt')}`, `${owner}/${plain.file_id}`]) {
    await call(`GET /download/${path}`, { token });
    await call(`GET /download/${path}`, { token, headers: { range: 'bytes=0-9' } });
  }
  const body = { ss58_address: owner, folder_hash: DEFAULT_HASH };
  await call('POST /can_upload', { token, body: { ...body, size_bytes: 10 } });
  await rename(user, [renameOf(stored, 'd.txt')]);
  const entries = [{ path_hash: idOf('b.txt'), relative_path: 'b.txt' }];
  await call(`POST /register_relative_paths/${folder}`, { token, body: { entries } });
  await call('POST /delete_files', { token, body: { ...body, file_ids: [idOf('b.txt')] } });
  await call(`DELETE /delete/${folder}/${idOf('a.txt')}`, { token });
  await call(`DELETE /delete/${owner}/${plain.file_id}`, { token });
  await call('DELETE /unregister_folder', { token, body });
}

async function uploadInChunks(user: SignedIn): Promise<void> {
  const { token } = user;
  const layout = { chunk_count: 1, chunk_size: 1024, ciphertext_size: BYTES.length };
  for (const path of ['chunks.txt', 'left.txt']) {
    const body = { manifest: manifestOf(user, path, BYTES), ...layout };
    const { Success } = (await call('POST /upload/session', { token, body })).body;
    const session = `/upload/session/${Success.session_id}`;
    await send(user, `PUT ${session}/chunk/0`, BYTES, 'application/octet-stream');
    await call(`GET ${session}/status`, { token });
    if (path === 'chunks.txt') await call(`POST ${session}/finalize`, { token });
    else await call(`DELETE ${session}`, { token });
  }
}
