import { GraphQLSafeInt as SafeInt } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { UInt64 } from '../../../kernel/scalars.js';
import { File } from '../files/file/file.js';

@ObjectType({ description: 'Files of one owner that a search found, a page of them.', simpleResolvers: true })
export class FileSearchPage {
  @Field(() => String, { description: 'SS58 address of the owner.' })
  ownerAddress!: string;

  @Field(() => [File], { description: 'In the order asked for, then by path hash.' })
  files!: File[];

  @Field(() => SafeInt, { description: 'Files that match, on all pages.' })
  totalCount!: number;

  @Field(() => Boolean, { description: 'Whether more files match behind this page.' })
  hasMore!: boolean;

  @Field(() => Int, { description: 'Files before this page; 0 where `after` says where it begins.' })
  offset!: number;

  @Field(() => Int, { description: 'Files this page could hold.' })
  limit!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Give it as `after` for the page behind this one, whatever changes meanwhile; null on the last.',
  })
  endCursor!: string | null;
}

@ObjectType({ description: 'A directory within a folder.', simpleResolvers: true })
export class Directory {
  @Field(() => String, { description: 'Its own name, without those above it.' })
  name!: string;

  @Field(() => SafeInt, { description: 'Files in it and in all directories below.' })
  fileCount!: number;

  @Field(() => UInt64, { description: 'Bytes of these files before encryption.' })
  totalBytes!: string;
}

@ObjectType({
  description: 'What a directory holds, a page of it: directories first, then files.',
  simpleResolvers: true,
})
export class DirectoryListing {
  @Field(() => String, { description: 'SS58 address of the owner.' })
  ownerAddress!: string;

  @Field(() => String, { description: 'The folder.' })
  folderHash!: string;

  @Field(() => String, { description: 'The directory, without a slash at its ends; empty for the root.' })
  path!: string;

  @Field(() => [Directory], { description: 'By name, whatever its case.' })
  folders!: Directory[];

  @Field(() => [File], { description: 'In the order asked for, by name otherwise.' })
  files!: File[];

  @Field(() => SafeInt, { description: 'Directories and files, on all pages.' })
  totalCount!: number;

  @Field(() => Boolean, { description: 'Whether there is more behind this page.' })
  hasMore!: boolean;

  @Field(() => Int, { description: 'Directories and files before this page.' })
  offset!: number;

  @Field(() => Int, { description: 'Directories and files this page could hold.' })
  limit!: number;
}
