import { GraphQLSafeInt as SafeInt } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { UInt64 } from '../../../kernel/scalars/scalars.js';
import { File } from '../files/file/file.js';

@ObjectType({ description: 'A page of search results: files of one owner.', simpleResolvers: true })
export class FileSearchPage {
  @Field(() => String, { description: 'SS58 address of the owner.' })
  ownerAddress!: string;

  @Field(() => [File], { description: 'In the requested order, then by path hash.' })
  files!: File[];

  @Field(() => SafeInt, { description: 'Total number of matching files.' })
  totalCount!: number;

  @Field(() => Boolean, { description: 'Whether there are more matching files after this page.' })
  hasMore!: boolean;

  @Field(() => Int, { description: 'Number of files before this page; 0 when `after` is used.' })
  offset!: number;

  @Field(() => Int, { description: 'Page size.' })
  limit!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Pass it as `after` to get the next page; null on the last page.',
  })
  endCursor!: string | null;
}

@ObjectType({ description: 'A directory within a folder.', simpleResolvers: true })
export class Directory {
  @Field(() => String, { description: 'Name of the directory, without its parents.' })
  name!: string;

  @Field(() => SafeInt, { description: 'Number of files in the directory and its subdirectories.' })
  fileCount!: number;

  @Field(() => UInt64, { description: 'Total size of these files in bytes, before encryption.' })
  totalBytes!: string;
}

@ObjectType({
  description: 'A page of a directory: directories first, then files.',
  simpleResolvers: true,
})
export class DirectoryListing {
  @Field(() => String, { description: 'SS58 address of the owner.' })
  ownerAddress!: string;

  @Field(() => String, { description: 'The folder.' })
  folderHash!: string;

  @Field(() => String, { description: 'Path of the directory, without leading or trailing slash; empty for the root.' })
  path!: string;

  @Field(() => [Directory], { description: 'Directories, by name, case-insensitive.' })
  folders!: Directory[];

  @Field(() => [File], { description: 'Files in the requested order; by name if none is given.' })
  files!: File[];

  @Field(() => SafeInt, { description: 'Total number of directories and files.' })
  totalCount!: number;

  @Field(() => Boolean, { description: 'Whether there are more entries after this page.' })
  hasMore!: boolean;

  @Field(() => Int, { description: 'Number of entries before this page.' })
  offset!: number;

  @Field(() => Int, { description: 'Page size.' })
  limit!: number;
}
