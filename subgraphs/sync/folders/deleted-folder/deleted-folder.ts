import { GraphQLSafeInt as SafeInt } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import { DateTime, UInt64 } from '../../../../kernel/scalars/scalars.js';

@ObjectType({ description: 'An unregistered folder that can still be restored.', simpleResolvers: true })
export class DeletedFolder {
  @Field(() => ID, { description: 'Id of this folder; several deleted folders can have the same hash.' })
  folderId!: string;

  @Field(() => String, { description: 'First 16 hex digits of the SHA-256 of the label.' })
  folderHash!: string;

  @Field(() => String, { description: 'Display name from the registration.' })
  label!: string;

  @Field(() => String, {
    description: 'Name of the device that registered the folder; empty if the device did not send it.',
  })
  deviceName!: string;

  @Field(() => SafeInt, { description: 'Number of files that are restored with the folder.' })
  fileCount!: number;

  @Field(() => UInt64, { description: 'Total size of these files in bytes, before encryption.' })
  totalBytes!: string;

  @Field(() => DateTime, { description: 'When the folder was unregistered.' })
  deletedAt!: Date;

  @Field(() => DateTime, { description: 'The folder can be restored until this time; then its files are purged.' })
  restorableUntil!: Date;
}

@ObjectType({ description: 'A purged folder: it can no longer be restored.', simpleResolvers: true })
export class PurgedFolder {
  @Field(() => ID, { description: 'The folder.' })
  folderId!: string;

  @Field(() => Boolean, { description: '`true`.' })
  purged!: true;
}
