import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { asRecord, PlatformError } from '../errors.js';
import type { Transport } from '../transport.js';
import { bytesOf, downloadTo, type DownloadOptions, type DownloadTarget } from './download.js';
import { decryptBytes, decrypted, encryptBytes, NONCE_BYTES, type Source } from './framing.js';
import { saltedHash } from './hash.js';
import { folderKey, pathHash, signRenames, verifyingKey, type FolderKey } from './manifest.js';
import { successOf, upload, type Revision, type UploadOptions } from './upload.js';

/** A file as the platform lists it. */
export interface RemoteFile {
  /** Hex of the path hash; names the file in its folder. */
  readonly fileId: string;
  readonly folderHash: string;
  /** Plaintext path; null for files of clients that do not send it. */
  readonly relativePath: string | null;
  /** Bytes of the plaintext. */
  readonly sizeBytes: number;
  readonly updatedAt: Date;
  readonly revision: Revision;
  readonly encryptedPath: Uint8Array;
  /** BLAKE3 of the owner's address and the plaintext. */
  readonly saltedHash: Uint8Array;
}

/** A file that a search has found. */
export interface FoundFile extends RemoteFile {
  /** Label of its folder; empty if that is not registered. */
  readonly folderLabel: string;
}

/** A folder as the platform lists it. */
export interface RemoteFolder {
  readonly label: string;
  readonly folderHash: string;
  readonly fileCount: number;
  readonly totalBytes: number;
}

/** Filters of a search. All that are set apply. */
export interface FileSearch {
  readonly q?: string;
  readonly fileType?: string;
  readonly sizeMin?: number;
  readonly sizeMax?: number;
  readonly dateFrom?: number;
  readonly dateTo?: number;
  readonly offset?: number;
  readonly limit?: number;
  readonly sortBy?: 'file_name' | 'size_bytes' | 'created_at' | 'updated_at';
  readonly sortOrder?: 'asc' | 'desc';
}

/** Rows that are requested at once. */
const PAGE_SIZE = 1000;

/** The encrypted folders of one owner. */
export class Files {
  constructor(
    private readonly transport: Transport,
    /** SS58 address of the account. */
    readonly owner: string,
  ) {}

  /** Derives the key of a folder from the master phrase. The phrase never leaves the device. */
  key(masterMnemonic: string, label: string): FolderKey {
    return folderKey(masterMnemonic, label);
  }

  /** Registers a folder. Nothing happens when it is registered already. */
  async register({ label, folderHash }: FolderKey, deviceName: string | null = null): Promise<void> {
    const body = { ss58_address: this.owner, folder_hash: folderHash, label, device_name: deviceName };
    await this.post('/register_folder', body).catch((error: unknown) => {
      if (!(error instanceof PlatformError && error.status === 409)) throw error;
    });
  }

  /** Lists the folders of the owner. */
  async folders(): Promise<RemoteFolder[]> {
    const { folders } = successOf(await this.transport.json(`/list_folders/${this.owner}`));
    return (folders as unknown[]).map((row) => {
      const { label, folder_hash, file_count, total_bytes } = asRecord(row);
      return {
        label: String(label),
        folderHash: String(folder_hash),
        fileCount: Number(file_count),
        totalBytes: Number(total_bytes),
      };
    });
  }

  /**
   * Yields every file of a folder, in the order of their ids. Each page begins with the last file of the one before: if it does
   * not, other devices have deleted files, and the pages before it are read again.
   */
  async *list(folderHash: string): AsyncGenerator<RemoteFile> {
    let last = '';
    for (let offset = 0; ;) {
      const path = `/get_state/${this.owner}/${folderHash}?offset=${offset}&limit=${PAGE_SIZE}`;
      const page = successOf(await this.transport.json(path));
      const files = (page.files as unknown[]).map((row) => fileOf({ folder_hash: folderHash, ...asRecord(row) }));
      const [first] = files;
      if (offset > 0 && (!first || first.fileId > last)) {
        offset = Math.max(offset - PAGE_SIZE, 0);
        continue;
      }
      const isNew = ({ fileId }: RemoteFile) => fileId > last;
      const added = files.filter(isNew);
      yield* added;
      last = added.at(-1)?.fileId ?? last;
      if (page.has_more !== true || files.length < 2) return;
      offset += files.length - 1;
    }
  }

  /** Searches all folders. Returns one page and the number of all matches. */
  async search(search: FileSearch): Promise<{ files: FoundFile[]; totalCount: number; hasMore: boolean }> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(search))
      if (value !== undefined)
        query.set(
          name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          String(value),
        );
    const page = successOf(await this.transport.json(`/search_files/${this.owner}?${query.toString()}`));
    const files = (page.files as unknown[]).map((row) => ({
      ...fileOf(row),
      folderLabel: String(asRecord(row).folder_label),
    }));
    return { files, totalCount: Number(page.total_count), hasMore: page.has_more === true };
  }

  /** Encrypts and uploads a file; see `upload`. */
  upload(options: Omit<UploadOptions, 'owner'>): Promise<Revision> {
    return upload(this.transport, { ...options, owner: this.owner });
  }

  /** Whether the platform has this plaintext. Reads it once. */
  async isSame(file: Pick<RemoteFile, 'sizeBytes' | 'saltedHash'>, plaintext: Source): Promise<boolean> {
    if (file.sizeBytes !== plaintext.size) return false;
    return bytesToHex(await saltedHash(plaintext, this.owner)) === bytesToHex(file.saltedHash);
  }

  /**
   * Downloads and decrypts a file, as a stream of plaintext, until the signal.
   * @throws PlatformError, status 404; code NETWORK when it is cut off: begin again, or use `downloadTo`
   */
  async *download(key: FolderKey, fileId: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    yield* decrypted(await bytesOf(this.transport, { owner: this.owner, folder: key, fileId, signal }), key.secret);
  }

  /**
   * Downloads and decrypts a listed file into a target, also after a part of it that an earlier download of this revision has
   * left there, and goes on when it is cut off. Compares the hash of all bytes with the listed one; a part from before that does
   * not belong to the file is downloaded again.
   * @throws PlatformError, status 404; status 409, code `replaced`, when the file has another revision: list it again
   */
  downloadTo(key: FolderKey, file: RemoteFile, target: DownloadTarget, options: DownloadOptions = {}): Promise<void> {
    return downloadTo(this.transport, { ...file, ...options, owner: this.owner, folder: key, target });
  }

  /** Deletes files. Files that do not exist count as deleted. */
  async delete(folderHash: string, fileIds: readonly string[]): Promise<void> {
    for (let at = 0; at < fileIds.length; at += PAGE_SIZE) {
      const file_ids = fileIds.slice(at, at + PAGE_SIZE);
      const body = { ss58_address: this.owner, folder_hash: folderHash, file_ids, quiet: true };
      const [error] = successOf(await this.post('/delete_files', body)).errors as { message?: string; code?: string }[];
      if (error) throw new PlatformError(error.message ?? 'A file was not deleted.', 200, error.code, error);
    }
  }

  /** Renames a file. The ciphertext stays. @returns the new revision */
  async rename(key: FolderKey, file: Pick<RemoteFile, 'fileId' | 'revision'>, relativePath: string): Promise<Revision> {
    const [from, to] = [hexToBytes(file.fileId), pathHash(relativePath)];
    const encryptedPath = await encryptBytes(utf8ToBytes(relativePath), key.secret, randomBytes(NONCE_BYTES));
    const renames = [
      {
        old_path_hash: [...from],
        new_path_hash: [...to],
        new_encrypted_path: [...encryptedPath],
        new_file_name: relativePath.split('/').at(-1),
        new_relative_path: relativePath,
        base_revision_id: [...file.revision.revisionId],
      },
    ];
    const signature = [...signRenames([[from, to]], key.secret)];
    const signed = { signature, signing_key: [...verifyingKey(key.secret)] };
    const body = { ss58_address: this.owner, folder_hash: key.folderHash, renames, ...signed };
    const { successes, failures } = successOf(await this.post('/rename_files', body));
    const [failure] = failures as { reason: string }[];
    if (failure) throw new PlatformError(whyNotRenamed(failure.reason, relativePath), 200, failure.reason, failure);
    const [success] = successes as { new_revision_id: number[]; new_revision_seq: number }[];
    return { revisionId: Uint8Array.from(success?.new_revision_id ?? []), revisionSeq: success?.new_revision_seq ?? 0 };
  }

  private post(path: string, body: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    return this.transport.json(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }
}

/** Source: folder sync API, rename_files, `reason` of a failure */
function whyNotRenamed(reason: string, path: string): string {
  const reasons: Readonly<Record<string, string>> = {
    not_found: 'it no longer exists.',
    target_exists: `there is a file ${path} already.`,
    revision_mismatch: 'it was changed meanwhile.',
  };
  return `The file was not renamed: ${reasons[reason] ?? `${reason}.`}`;
}

/**
 * Returns the path of a file: the plaintext that the platform knows, else the decrypted one.
 * @throws Error when it cannot be decrypted: with another key, or because its client has sent none
 */
export async function pathOf(file: RemoteFile, key: FolderKey): Promise<string> {
  if (file.relativePath !== null) return file.relativePath;
  return new TextDecoder().decode(await decryptBytes(file.encryptedPath, key.secret));
}

function fileOf(row: unknown): RemoteFile {
  const {
    path_hash,
    folder_hash,
    relative_path,
    size_bytes,
    updated_at,
    revision_id,
    revision_seq,
    encrypted_path,
    salted_hash,
  } = asRecord(row);
  return {
    fileId: bytesToHex(Uint8Array.from(path_hash as number[])),
    folderHash: String(folder_hash),
    relativePath: typeof relative_path === 'string' ? relative_path : null,
    sizeBytes: Number(size_bytes),
    updatedAt: new Date(Number(updated_at) * 1000),
    revision: { revisionId: Uint8Array.from(revision_id as number[]), revisionSeq: Number(revision_seq) },
    encryptedPath: Uint8Array.from(encrypted_path as number[]),
    saltedHash: Uint8Array.from(salted_hash as number[]),
  };
}
