import { GraphQLSafeInt as SafeInt } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { IntegerList } from '../../../../kernel/scalars/scalars.js';

@ObjectType({ description: 'An upload of a file in chunks.', simpleResolvers: true })
export class UploadSession {
  @Field(() => ID, { description: 'Id of the session.' })
  sessionId!: string;

  @Field(() => String, { description: '`receiving`, or `finalized` when the file is written.' })
  state!: 'receiving' | 'finalized';

  @Field(() => Int, { description: 'Number of chunks of the file.' })
  totalChunks!: number;

  @Field(() => IntegerList, { description: 'Indexes of the stored chunks, from 0, ascending.' })
  chunksReceived!: readonly number[];

  @Field(() => SafeInt, {
    description:
      'When the session expires, in Unix seconds; each stored chunk and each read of the session extends it.',
  })
  expiresAt!: number;

  @Field(() => String, { description: 'BLAKE3 of the whole ciphertext, hex, from the manifest.' })
  ciphertextHash!: string;
}

@ObjectType({ description: 'A stored chunk.', simpleResolvers: true })
export class UploadedChunk {
  @Field(() => Int, { description: 'Index of the chunk, from 0.' })
  chunkIndex!: number;
}

@ObjectType({ description: 'A deleted upload session.', simpleResolvers: true })
export class DeletedSession {
  @Field(() => Boolean, { description: '`true`.' })
  deleted!: true;
}
