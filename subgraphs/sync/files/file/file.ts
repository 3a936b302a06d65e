import { GraphQLSafeInt as SafeInt } from 'graphql-scalars';
import { sql } from 'kysely';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ByteArray, UInt64 } from '../../../../kernel/scalars/scalars.js';

/** Maximum chunk hashes in the answer for a file: a page of 10,000 files with this number of hashes stays below the limit of rows in memory. */
const MAX_CHUNK_HASHES = 64;

@ObjectType({ description: 'An encrypted file in a folder, at its current revision.', simpleResolvers: true })
export class File {
  @Field(() => ID, { description: 'Hex of `pathHash`; unique within its folder.' })
  fileId!: string;

  @Field(() => String, {
    description: 'Hash of the folder that contains the file; empty for files of an object-store gateway.',
  })
  folderHash!: string;

  @Field(() => String, { description: 'Label of the folder; empty if the folder is not registered.' })
  folderLabel!: string;

  @Field(() => ByteArray, { description: '32 bytes: BLAKE3 of the relative path.' })
  pathHash!: Buffer;

  @Field(() => ByteArray, { description: '32 bytes: BLAKE3 of the owner’s address and the plaintext.' })
  saltedHash!: Buffer;

  @Field(() => UInt64, { description: 'Bytes before encryption.' })
  sizeBytes!: string;

  @Field(() => UInt64, { description: 'Sequence number; increases with every revision.' })
  revisionSeq!: string;

  @Field(() => ByteArray, { description: '32 bytes: revision id, assigned by the server.' })
  revisionId!: Buffer;

  @Field(() => ByteArray, { description: 'The relative path, encrypted; may be empty.' })
  encryptedPath!: Buffer;

  @Field(() => String, { nullable: true, description: 'Plaintext file name; null if the client did not send it.' })
  fileName!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Plaintext path, segments separated by `/`; null if the client did not send it.',
  })
  relativePath!: string | null;

  @Field(() => String, { nullable: true, description: 'BLAKE3 of the stored ciphertext, hex.' })
  storeHash!: string | null;

  @Field(() => [String], {
    nullable: true,
    description: `BLAKE3 of each stored chunk, hex, in order; null for more than ${MAX_CHUNK_HASHES} chunks.`,
  })
  chunkHashes!: string[] | null;

  @Field(() => String, { nullable: true, description: 'SS58 address of the uploader; null if unknown.' })
  uploadedBy!: string | null;

  @Field(() => SafeInt, { description: 'When the file was created, in Unix seconds.' })
  createdAt!: number;

  @Field(() => SafeInt, { description: 'When this revision was stored, in Unix seconds.' })
  updatedAt!: number;
}

@ObjectType({ description: 'A file that an object-store gateway stored.', simpleResolvers: true })
export class PlainUpload {
  @Field(() => ID, { description: 'Id of the file.' })
  fileId!: string;

  @Field(() => ID, { description: 'Id of the upload.' })
  uploadId!: string;

  @Field(() => SafeInt, { description: 'When it was stored, in Unix seconds.' })
  timestamp!: number;
}

@ObjectType({ description: 'A page of the files of a folder.', simpleResolvers: true })
export class FileList {
  @Field(() => String, { description: 'SS58 address of the owner.' })
  ownerAddress!: string;

  @Field(() => String, { description: 'The folder.' })
  folderHash!: string;

  @Field(() => [File], { description: 'Files, ordered by path hash.' })
  files!: File[];

  @Field(() => SafeInt, { description: 'Number of files in the folder.' })
  totalCount!: number;

  @Field(() => Boolean, { description: 'Whether there are more files after this page.' })
  hasMore!: boolean;

  @Field(() => Int, { description: 'Number of files before this page.' })
  offset!: number;

  @Field(() => Int, { description: 'Page size.' })
  limit!: number;
}

@ObjectType({ description: 'A deleted file.', simpleResolvers: true })
export class DeletedFile {
  @Field(() => String, { description: '`deleted`; in a list also `already_deleted`.' })
  status!: 'deleted' | 'already_deleted';

  @Field(() => ID, { description: 'Hex of its path hash.' })
  fileId!: string;

  @Field(() => String, { description: 'SS58 address of the owner.' })
  ownerAddress!: string;

  @Field(() => String, {
    description: 'Hash of the folder that contained the file; empty for files of an object-store gateway.',
  })
  folderHash!: string;
}

@ObjectType({ description: 'A file that could not be deleted.', simpleResolvers: true })
export class UndeletedFile {
  @Field(() => String, { description: 'The value from the request.' })
  fileId!: string;

  @Field(() => String, { description: 'Error code.' })
  code!: string;

  @Field(() => String, { description: 'Error message.' })
  message!: string;
}

@ObjectType({ description: 'Result of deleting files.', simpleResolvers: true })
export class DeletedFiles {
  @Field(() => [DeletedFile], { nullable: true, description: 'Deleted files; null if only errors were requested.' })
  deleted!: DeletedFile[] | null;

  @Field(() => [UndeletedFile], { description: 'Files that could not be deleted.' })
  errors!: UndeletedFile[];

  @Field(() => Int, { description: 'Number of files that this request deleted.' })
  filesDeleted!: number;
}

/** Columns of a file `f` in its folder `d` with its blob `b`, named as the fields. */
export const FILE_COLUMNS = sql`
  encode(f.path_hash, 'hex') AS "fileId", d.folder_hash AS "folderHash", coalesce(d.label, '') AS "folderLabel",
  f.path_hash AS "pathHash", f.salted_hash AS "saltedHash", f.size_bytes::text AS "sizeBytes",
  f.revision_seq::text AS "revisionSeq", f.revision_id AS "revisionId", f.encrypted_path AS "encryptedPath",
  f.file_name AS "fileName", f.relative_path AS "relativePath", encode(b.hash, 'hex') AS "storeHash",
  (SELECT CASE WHEN count(*) <= ${sql.lit(MAX_CHUNK_HASHES)} THEN array_agg(encode(c.hash, 'hex') ORDER BY c.chunk_index) END
     FROM (SELECT hash, chunk_index FROM sync.chunk WHERE owner_id = f.owner_id AND blob_id = f.blob_id LIMIT ${sql.lit(MAX_CHUNK_HASHES + 1)}) c) AS "chunkHashes",
  f.uploaded_by AS "uploadedBy", f.created_at::double precision AS "createdAt", f.updated_at::double precision AS "updatedAt"`;

/** The tables of these columns. */
export const FILE_TABLES = sql`sync.file f JOIN sync.folder d ON d.owner_id = f.owner_id AND d.id = f.folder_id
  JOIN sync.blob b ON b.owner_id = f.owner_id AND b.id = f.blob_id`;
