import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Directories of a folder that hold no file.', simpleResolvers: true })
export class FolderEntries {
  @Field(() => [String], { description: 'Their paths, with `/` between the parts, in order.' })
  relativePaths!: string[];
}

@ObjectType({ description: 'What became of directories that were registered or removed.', simpleResolvers: true })
export class FolderEntryChange {
  @Field(() => Int, { description: 'Directories that were not registered before, or that were.' })
  changedCount!: number;
}
