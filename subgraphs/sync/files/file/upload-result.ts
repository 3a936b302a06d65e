import { GraphQLSafeInt as SafeInt } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import { ByteArray } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'A file that is written.', simpleResolvers: true })
export class UploadResult {
  @Field(() => ID, { description: 'Names the upload.' })
  uploadId!: string;

  @Field(() => SafeInt, { description: 'When it was written, in Unix seconds.' })
  timestamp!: number;

  @Field(() => ByteArray, { description: '32 bytes that name this revision: the base of the next.' })
  revisionId!: Buffer | string;

  @Field(() => SafeInt, { description: 'When the file was new, in Unix seconds.' })
  createdAt!: number;

  @Field(() => SafeInt, { description: 'When this revision was written, in Unix seconds.' })
  updatedAt!: number;
}
