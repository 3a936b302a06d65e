import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'What a collection of storage that nobody names any more has done.', simpleResolvers: true })
export class StorageCollection {
  @Field(() => Int, { description: 'Upload sessions that had expired.' })
  expiredSessions!: number;

  @Field(() => Int, { description: 'Files of folders that were deleted more than seven days ago.' })
  purgedFiles!: number;

  @Field(() => Int, { description: 'Objects that no row names, found and discarded: they go ten minutes later.' })
  orphanObjects!: number;

  @Field(() => Int, { description: 'Discarded objects that were due and are gone.' })
  collectedObjects!: number;
}
