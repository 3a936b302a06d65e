import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Result of a storage cleanup.', simpleResolvers: true })
export class StorageCollection {
  @Field(() => Int, { description: 'Expired upload sessions that were removed.' })
  expiredSessions!: number;

  @Field(() => Int, { description: 'Files purged from folders that were deleted more than seven days ago.' })
  purgedFiles!: number;

  @Field(() => Int, { description: 'Unreferenced objects that were found; they are removed ten minutes later.' })
  orphanObjects!: number;

  @Field(() => Int, { description: 'Discarded objects that were due and were removed.' })
  collectedObjects!: number;
}
