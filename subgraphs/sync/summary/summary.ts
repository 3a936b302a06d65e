import { GraphQLSafeInt as SafeInt } from 'graphql-scalars';
import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'All that an owner keeps.', simpleResolvers: true })
export class StorageSummary {
  @Field(() => String, { description: 'SS58 address of the owner.' })
  ownerAddress!: string;

  @Field(() => SafeInt, { description: 'Bytes before encryption.' })
  totalBytes!: number;

  @Field(() => SafeInt, { description: 'Files.' })
  fileCount!: number;

  @Field(() => SafeInt, {
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

  @Field(() => SafeInt, { description: 'Bytes before encryption.' })
  totalBytes!: number;
}
