import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Registered directories of a folder that contain no file.', simpleResolvers: true })
export class FolderEntries {
  @Field(() => [String], { description: 'Paths of the directories, segments separated by `/`, sorted.' })
  relativePaths!: string[];
}

@ObjectType({ description: 'Result of registering or removing directories.', simpleResolvers: true })
export class FolderEntryChange {
  @Field(() => Int, { description: 'Number of directories that this request registered or removed.' })
  changedCount!: number;
}
