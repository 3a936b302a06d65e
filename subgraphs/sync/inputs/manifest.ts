import { Field, InputType } from 'type-graphql';
import { ByteArray, Int64, UInt64 } from '../../../kernel/scalars/scalars.js';

@InputType({ description: 'The signed description of a file to upload.' })
export class ManifestInput {
  @Field(() => String, { description: 'SS58 address of the owner; must be your own.' })
  ss58Address!: string;

  @Field(() => String, { description: 'Folder hash: 16 hex digits.' })
  folderHash!: string;

  @Field(() => String, { description: 'BLAKE3 of the whole ciphertext, 64 hex digits.' })
  ciphertextHash!: string;

  @Field(() => UInt64, { description: 'Bytes before encryption, at most 2^63 - 1.' })
  sizeBytes!: string;

  @Field(() => Int64, { description: 'Time of the upload by the clock of the device, in Unix seconds.' })
  timestamp!: string;

  @Field(() => ByteArray, {
    description: '64 bytes: Ed25519 signature of the message that contains `ciphertextHash`.',
  })
  signature!: Buffer;

  @Field(() => ByteArray, { description: '32 bytes: Ed25519 public key that verifies the signature.' })
  signingKey!: Buffer;

  @Field(() => ByteArray, { description: '32 bytes: BLAKE3 of the relative path; identifies the file in its folder.' })
  pathHash!: Buffer;

  @Field(() => ByteArray, { description: '32 bytes: BLAKE3 of the owner’s address and the plaintext.' })
  saltedHash!: Buffer;

  @Field(() => UInt64, {
    description: 'Sequence number of the revision; must be greater than that of the current revision.',
  })
  revisionSeq!: string;

  @Field(() => ByteArray, {
    nullable: true,
    description: 'Id of the revision that this one replaces; null for a new file.',
  })
  baseRevisionId?: Buffer | null;

  @Field(() => ByteArray, { description: 'The relative path, encrypted; may be empty.' })
  encryptedPath!: Buffer;

  @Field(() => String, { nullable: true, description: 'Plaintext file name, used for search; optional.' })
  fileName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Plaintext path in the folder, used to browse; segments are separated by `/`.',
  })
  relativePath?: string | null;

  @Field(() => String, { nullable: true, description: 'Kind of client that uploads: desktop, console, mobile, …' })
  source?: string | null;
}
