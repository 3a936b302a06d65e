import { GraphQLSafeInt as SafeInt } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType({ description: 'An upload session of a folder that still receives chunks.', simpleResolvers: true })
export class OpenUpload {
  @Field(() => ID, {
    description: 'Id of the session, to resume it by `uploadSession` or cancel it by `deleteUploadSession`.',
  })
  sessionId!: string;

  @Field(() => String, { nullable: true, description: 'Path of the file in the folder; null if it was not sent.' })
  relativePath!: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the file; null if it was not sent.' })
  fileName!: string | null;

  @Field(() => SafeInt, { description: 'Size of the ciphertext in bytes.' })
  ciphertextSize!: number;

  @Field(() => SafeInt, {
    description:
      'Bytes of the stored chunks; charged like those of files for each whole day on which the session is open, if storage has a price.',
  })
  receivedBytes!: number;

  @Field(() => SafeInt, { description: 'When the session was opened, in Unix seconds.' })
  createdAt!: number;

  @Field(() => SafeInt, {
    description: 'When the session expires, in Unix seconds; this list does not extend it.',
  })
  expiresAt!: number;
}
