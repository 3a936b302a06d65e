import { GraphQLSafeInt as SafeInt } from 'graphql-scalars';
import { Field, ObjectType } from 'type-graphql';
import { UInt64 } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'All that an owner keeps.', simpleResolvers: true })
export class StorageSummary {
  @Field(() => String, { description: 'SS58 address of the owner.' })
  ownerAddress!: string;

  @Field(() => UInt64, { description: 'Bytes before encryption.' })
  totalBytes!: string;

  @Field(() => SafeInt, { description: 'Files.' })
  fileCount!: number;

  @Field(() => UInt64, {
    description:
      'Bytes of ciphertext that are charged for where storage has a price, and that count against what can be uploaded.',
  })
  chargedBytes!: string;

  @Field(() => UInt64, {
    description:
      'Bytes of ciphertext beside these, of folders that were forgotten and can be had back: they count for nothing.',
  })
  restorableBytes!: string;

  @Field(() => UInt64, {
    nullable: true,
    description: 'When the first folder began, in Unix seconds; null without any.',
  })
  createdAt!: number | null;

  @Field(() => SafeInt, { nullable: true, description: 'When a file last changed, in Unix seconds; null without any.' })
  updatedAt!: number | null;
}

@ObjectType({ description: 'Files of one kind.', simpleResolvers: true })
export class KindTotal {
  @Field(() => String, { description: 'The kind.' })
  kind!: string;

  @Field(() => SafeInt, { description: 'Files.' })
  fileCount!: number;

  @Field(() => UInt64, { description: 'Bytes before encryption.' })
  totalBytes!: string;
}
