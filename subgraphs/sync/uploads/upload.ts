import { GraphQLSafeInt as SafeInt } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { IntegerList } from '../../../kernel/scalars.js';

@ObjectType({ description: 'A file on its way in, chunk by chunk.', simpleResolvers: true })
export class UploadSession {
  @Field(() => ID, { description: 'Names the session.' })
  sessionId!: string;

  @Field(() => String, { description: '`receiving`, or `finalized`: the file is written.' })
  state!: 'receiving' | 'finalized';

  @Field(() => Int, { description: 'Chunks the file has.' })
  totalChunks!: number;

  @Field(() => IntegerList, { description: 'Places of the chunks that are stored, from 0, in their order.' })
  chunksReceived!: readonly number[];

  @Field(() => SafeInt, {
    description: 'When the session is forgotten, in Unix seconds; every chunk and every look at it moves that on.',
  })
  expiresAt!: number;

  @Field(() => String, { description: 'BLAKE3 of the whole ciphertext, hex, as the manifest has it.' })
  ciphertextHash!: string;
}

@ObjectType({ description: 'A chunk that is stored.', simpleResolvers: true })
export class UploadedChunk {
  @Field(() => Int, { description: 'Its place, from 0.' })
  chunkIndex!: number;
}

@ObjectType({ description: 'A session that is no more.', simpleResolvers: true })
export class DeletedSession {
  @Field(() => Boolean, { description: '`true`.' })
  deleted!: true;
}
