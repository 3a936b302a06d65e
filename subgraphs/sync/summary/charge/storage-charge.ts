import { Directive, Field, ID, ObjectType } from 'type-graphql';

@Directive('@key(fields: "id")')
@ObjectType({
  description: 'The charge for all folders and open uploads of an owner for a day of storage.',
  simpleResolvers: true,
})
export class StorageCharge {
  @Field(() => ID, { description: 'Unique id: the `link` of its line in the statement.' })
  id!: string;

  @Field(() => String, { description: 'The day in UTC: `2026-12-31`.' })
  day!: string;
}
