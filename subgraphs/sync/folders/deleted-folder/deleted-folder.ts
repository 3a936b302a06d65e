import { GraphQLSafeInt as SafeInt } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import { DateTime, UInt64 } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'A folder that was forgotten and can still be had back.', simpleResolvers: true })
export class DeletedFolder {
  @Field(() => ID, { description: 'Names it among all that had the same hash.' })
  folderId!: string;

  @Field(() => String, { description: 'First 16 hex digits of the SHA-256 of the label.' })
  folderHash!: string;

  @Field(() => String, { description: 'The name for people, as it was registered.' })
  label!: string;

  @Field(() => String, { description: 'The device that registered it; empty when it did not say.' })
  deviceName!: string;

  @Field(() => SafeInt, { description: 'Files that come back with it.' })
  fileCount!: number;

  @Field(() => UInt64, { description: 'Bytes of all of them before encryption.' })
  totalBytes!: string;

  @Field(() => DateTime, { description: 'When it was forgotten.' })
  deletedAt!: Date;

  @Field(() => DateTime, { description: 'Until when it can be had back; then its files are purged.' })
  restorableUntil!: Date;
}

@ObjectType({ description: 'A folder that cannot be had back any more.', simpleResolvers: true })
export class PurgedFolder {
  @Field(() => ID, { description: 'The folder.' })
  folderId!: string;

  @Field(() => Boolean, { description: '`true`.' })
  purged!: true;
}
