import { GraphQLSafeInt as SafeInt } from 'graphql-scalars';
import { sql } from 'kysely';
import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { UInt64 } from '../../../../kernel/scalars/scalars.js';

@Directive('@key(fields: "id")')
@ObjectType({ description: 'A folder that the devices of one owner synchronize.', simpleResolvers: true })
export class Folder {
  @Field(() => ID, { description: 'Unique id. Never changes and is never reused.' })
  id!: string;

  @Field(() => String, {
    description: 'First 16 hex digits of the SHA-256 of the label.',
  })
  folderHash!: string;

  @Field(() => String, { description: 'Display name from the registration.' })
  label!: string;

  @Field(() => String, {
    description: 'Name of the device that registered the folder; empty if the device did not send it.',
  })
  deviceName!: string;

  @Field(() => SafeInt, { description: 'Number of files in the folder.' })
  fileCount!: number;

  @Field(() => UInt64, { description: 'Total size of its files in bytes, before encryption.' })
  totalBytes!: string;

  @Field(() => SafeInt, { description: 'When the folder was registered, in Unix seconds.' })
  createdAt!: number;

  @Field(() => SafeInt, { description: 'When a file in it last changed, in Unix seconds.' })
  updatedAt!: number;
}

/** Maximum reported total of bytes; the sum of client-declared sizes can exceed it. */
export const MAX_REPORTED_BYTES = 2n ** 64n - 1n;

/** When a registered folder was registered. */
export const REGISTERED_AT = sql<Date>`coalesce(folder.registered_at, folder.created_at)`;

/** Columns of a folder, named as the fields; all numbers exact. */
export const FOLDER_COLUMNS = [
  'folder.id',
  sql<string>`folder.label`.as('label'),
  'folder.folderHash',
  'folder.deviceName',
  sql<number>`folder.file_count::double precision`.as('fileCount'),
  sql<string>`least(folder.total_bytes, ${sql.lit(MAX_REPORTED_BYTES)})::text`.as('totalBytes'),
  sql<number>`floor(extract(epoch FROM ${REGISTERED_AT}))::double precision`.as('createdAt'),
  sql<number>`floor(extract(epoch FROM folder.updated_at))::double precision`.as('updatedAt'),
] as const;

@ObjectType({ description: 'The folders of one owner.', simpleResolvers: true })
export class FolderList {
  @Field(() => String, { description: 'SS58 address of the owner.' })
  ownerAddress!: string;

  @Field(() => [Folder], { description: 'Registered folders, oldest first.' })
  folders!: Folder[];
}

@ObjectType({ description: 'A registered folder.', simpleResolvers: true })
export class Registration {
  @Field(() => String, { description: '`registered`.' })
  status!: 'registered';
}

@ObjectType({ description: 'Result of unregistering a folder.', simpleResolvers: true })
export class Unregistration {
  @Field(() => String, { description: '`unregistered`.' })
  status!: 'unregistered';

  @Field(() => SafeInt, { description: 'Number of files that were deleted with the folder.' })
  filesDeleted!: number;
}
