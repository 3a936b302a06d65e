import { Field, ObjectType } from 'type-graphql';
import { Decimal, UInt64 } from '../../../../kernel/scalars/scalars.js';

@ObjectType({
  description: 'The share of a folder, or of open upload sessions, in the charge for storage of a day.',
  simpleResolvers: true,
})
export class FolderCharge {
  @Field(() => String, { description: 'The day in UTC: `2026-12-31`.' })
  day!: string;

  @Field(() => UInt64, {
    description:
      'Bytes of ciphertext in the folder at the end of the day, or when it was unregistered on that day; without a folder, of the stored chunks of upload sessions that were open all day.',
  })
  storedBytes!: string;

  @Field(() => Decimal, {
    description:
      'Credits for them at the price of that day, rounded down. All shares of a day are one line of the statement.',
  })
  credits!: string;

  /** Row id of its folder. */
  folderId!: string;
}
