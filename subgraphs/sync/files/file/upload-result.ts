import { GraphQLSafeInt as SafeInt } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import { ByteArray } from '../../../../kernel/scalars/scalars.js';

@ObjectType({ description: 'Result of an upload: the written file.', simpleResolvers: true })
export class UploadResult {
  @Field(() => ID, { description: 'Id of the upload.' })
  uploadId!: string;

  @Field(() => SafeInt, { description: 'When it was written, in Unix seconds.' })
  timestamp!: number;

  @Field(() => ByteArray, { description: '32 bytes: id of this revision; the base of the next one.' })
  revisionId!: Buffer | string;

  @Field(() => SafeInt, { description: 'When the file was created, in Unix seconds.' })
  createdAt!: number;

  @Field(() => SafeInt, { description: 'When this revision was written, in Unix seconds.' })
  updatedAt!: number;
}
