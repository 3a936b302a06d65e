import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, Decimal } from '../../../kernel/scalars.js';

@ObjectType({ description: 'Whether so much more could be uploaded now.', simpleResolvers: true })
export class UploadAllowance {
  @Field(() => Boolean, { description: 'Whether it could.' })
  result!: boolean;

  @Field(() => String, { nullable: true, description: 'Why not; begins with `billing:` where credits are missing.' })
  error!: string | null;
}

@ObjectType({ description: 'What storage costs.', simpleResolvers: true })
export class StoragePrice {
  @Field(() => Decimal, {
    nullable: true,
    description: 'Credits for a GiB of ciphertext in a calendar month, paid by the day; null: storage is free.',
  })
  creditsPerGibMonth!: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Since when; null where no price was ever set.' })
  changedAt!: Date | null;
}

@ObjectType({ description: 'What telling accounts the storage of past days has done.', simpleResolvers: true })
export class StorageUsageRun {
  @Field(() => [String], { description: 'Days, in UTC, that were closed now: what owners stored is written down.' })
  closedDays!: string[];

  @Field(() => Int, { description: 'Days of owners that accounts has recorded.' })
  recorded!: number;

  @Field(() => Int, { description: 'Days of owners that accounts has no account of, or refused.' })
  skipped!: number;
}
