/** For whom, and the phrase that the keys of all folders are derived from. */
export interface Access {
  readonly url: string;
  /** SS58 address of the account. */
  readonly owner: string;
  readonly phrase: string;
}

/** A revision of a file. */
export interface FileRevision {
  readonly revisionId: readonly number[];
  readonly revisionSeq: number;
}

/** What names a file and its present revision. */
export interface FileName extends FileRevision {
  readonly fileId: string;
}

/** Revisions of files by path. */
export type Revisions = ReadonlyMap<string, FileRevision>;

/** What the worker can do. */
export type Task =
  | { readonly kind: 'new phrase' }
  | { readonly kind: 'folder hash'; readonly label: string }
  /** Fails unless the phrase is valid and decrypts the path of a file. */
  | { readonly kind: 'check phrase'; readonly label?: string; readonly encryptedPath?: readonly number[] }
  /** Returns the revisions of those of the paths that have a file already. */
  | { readonly kind: 'taken paths'; readonly label: string; readonly paths: readonly string[] }
  | {
      readonly kind: 'upload';
      readonly label: string;
      readonly path: string;
      readonly file: File;
      /** The revision that it replaces; null for a new file. If it is undefined, the present one is looked up. */
      readonly base: FileRevision | null | undefined;
      /** Whether an earlier try got no answer: it may have stored the file. */
      readonly isRepeated: boolean;
    }
  /** Writes into the file of the handle, or returns the plaintext as a Blob without one. */
  | {
      readonly kind: 'download';
      readonly label: string;
      readonly fileId: string;
      readonly sizeBytes: number;
      readonly handle?: FileSystemFileHandle | undefined;
    }
  | { readonly kind: 'rename'; readonly label: string; readonly file: FileName; readonly path: string };

export type TaskOf<Kind extends Task['kind']> = Extract<Task, { kind: Kind }>;

/** What the page sends. */
export type Order =
  | { readonly id: number; readonly access: Access; readonly task: Task }
  | { readonly id: number; readonly stop: true }
  /** Forgets the keys of folders. */
  | { readonly forget: true };

/** What the worker answers. */
export type Report =
  | { readonly id: number; readonly done: number; readonly total: number }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly problem: string; readonly code: string | undefined };
