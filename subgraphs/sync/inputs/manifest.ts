import { Field, InputType } from 'type-graphql';
import { ByteArray, Int64, UInt64 } from '../../../kernel/scalars.js';

@InputType({ description: 'What a device says, and signs, of a file that it uploads.' })
export class ManifestInput {
  @Field(() => String, { description: 'SS58 address of the owner: yours.' })
  ss58Address!: string;

  @Field(() => String, { description: 'The folder, 16 hex digits.' })
  folderHash!: string;

  @Field(() => String, { description: 'BLAKE3 of the whole ciphertext, 64 hex digits.' })
  ciphertextHash!: string;

  @Field(() => UInt64, { description: 'Bytes before encryption, at most 2^63 - 1.' })
  sizeBytes!: string;

  @Field(() => Int64, { description: 'The device’s clock, in Unix seconds.' })
  timestamp!: string;

  @Field(() => ByteArray, { description: '64 bytes: Ed25519 over the sentence that names `ciphertextHash`.' })
  signature!: Buffer;

  @Field(() => ByteArray, { description: '32 bytes: the public key that verifies it.' })
  signingKey!: Buffer;

  @Field(() => ByteArray, { description: '32 bytes: BLAKE3 of the relative path; names the file in its folder.' })
  pathHash!: Buffer;

  @Field(() => ByteArray, { description: '32 bytes: BLAKE3 of the owner’s address and the plaintext.' })
  saltedHash!: Buffer;

  @Field(() => UInt64, { description: 'Greater than that of the present revision.' })
  revisionSeq!: string;

  @Field(() => ByteArray, { nullable: true, description: 'The revision this one replaces; null for a new file.' })
  baseRevisionId?: Buffer | null;

  @Field(() => ByteArray, { description: 'The relative path, encrypted; may be empty.' })
  encryptedPath!: Buffer;

  @Field(() => String, { nullable: true, description: 'For searching; encrypted files have one only if you say so.' })
  fileName?: string | null;

  @Field(() => String, { nullable: true, description: 'For browsing, with `/` between its parts.' })
  relativePath?: string | null;

  @Field(() => String, { nullable: true, description: 'What kind of client this is: desktop, console, mobile, …' })
  source?: string | null;
}
