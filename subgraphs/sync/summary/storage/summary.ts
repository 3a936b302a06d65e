import { GraphQLSafeInt as SafeInt } from 'graphql-scalars';
import { Field, ObjectType } from 'type-graphql';
import { UInt64 } from '../../../../kernel/scalars/scalars.js';

@ObjectType({ description: 'Totals of all files of an owner.', simpleResolvers: true })
export class StorageSummary {
  @Field(() => String, { description: 'SS58 address of the owner.' })
  ownerAddress!: string;

  @Field(() => UInt64, { description: 'Bytes before encryption.' })
  totalBytes!: string;

  @Field(() => SafeInt, { description: 'Number of files.' })
  fileCount!: number;

  @Field(() => UInt64, {
    description:
      'Bytes of ciphertext of files that are charged if storage has a price, and that count towards the upload limit. Stored chunks of an upload session that is open all day are charged too.',
  })
  chargedBytes!: string;

  @Field(() => UInt64, {
    description:
      'Bytes of ciphertext in unregistered folders that can still be restored; not charged after the day on which they were unregistered, and not part of `chargedBytes`. Together they may take twice what the credits cover; purging a folder frees its bytes immediately.',
  })
  restorableBytes!: string;

  @Field(() => UInt64, {
    nullable: true,
    description: 'When the first folder was created, in Unix seconds; null without folders.',
  })
  createdAt!: number | null;

  @Field(() => SafeInt, {
    nullable: true,
    description: 'When a file last changed, in Unix seconds; null without folders.',
  })
  updatedAt!: number | null;
}

@ObjectType({ description: 'Number and size of the files of one kind.', simpleResolvers: true })
export class KindTotal {
  @Field(() => String, { description: 'File type or kind of client.' })
  kind!: string;

  @Field(() => SafeInt, { description: 'Number of files.' })
  fileCount!: number;

  @Field(() => UInt64, { description: 'Bytes before encryption.' })
  totalBytes!: string;
}
