import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, Decimal } from '../../../kernel/scalars/scalars.js';

@ObjectType({ description: 'Whether a file of the requested size can be uploaded now.', simpleResolvers: true })
export class UploadAllowance {
  @Field(() => Boolean, { description: 'True if it can be uploaded.' })
  result!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'Why it cannot be uploaded; starts with `billing:` if credits are missing.',
  })
  error!: string | null;
}

@ObjectType({ description: 'Price of storage.', simpleResolvers: true })
export class StoragePrice {
  @Field(() => Decimal, {
    nullable: true,
    description: 'Credits per GiB of ciphertext and calendar month, charged daily; null means that storage is free.',
  })
  creditsPerGibMonth!: string | null;

  @Field(() => DateTime, { nullable: true, description: 'When the price was last set; null if never.' })
  changedAt!: Date | null;
}

@ObjectType({ description: 'Result of recording the storage usage of past days.', simpleResolvers: true })
export class StorageUsageRun {
  @Field(() => [String], { description: 'UTC days that were closed in this run.' })
  closedDays!: string[];

  @Field(() => Int, { description: 'Daily usage records that were written to accounts.' })
  recorded!: number;

  @Field(() => Int, { description: 'Daily usage records without an account, or refused by accounts.' })
  skipped!: number;
}
