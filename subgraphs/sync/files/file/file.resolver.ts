import { Arg, Args, ArgsType, Ctx, Directive, Field, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { listSize } from '../../../../kernel/paging/page.js';
import type { ByteSource } from '../../../../kernel/http/bytes.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { badRequest } from '../../../../kernel/errors.js';
import { Upload } from '../../../../kernel/scalars/scalars.js';
import type { ByteEndpoint } from '../../../../kernel/subgraph/subgraph.js';
import { readFolderHash, requireOwner, type FolderName } from '../../inputs/owner.rules.js';
import { readPage } from '../../inputs/page.rules.js';
import type { SyncContext, SyncServices } from '../../services.js';
import { UploadResult } from './upload-result.js';
import { deleteFile, deleteFiles } from './delete.actions.js';
import { openFile } from './download.actions.js';
import { DeletedFile, DeletedFiles, File, FileList, PlainUpload } from './file.js';
import { MAX_DELETIONS, readFileId, STATE_PAGE } from './file.rules.js';
import { findFile, listFiles } from './list.actions.js';
import { ManifestInput } from '../../inputs/manifest.js';
import { readManifest } from '../../inputs/manifest.rules.js';
import { uploadFile, uploadPlainFile } from './upload-file.actions.js';

@ArgsType()
class FolderArgs {
  @Field(() => String, { description: 'SS58 address of the owner.' })
  ownerAddress!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Folder hash: 16 hex digits; omit it for files of an object-store gateway.',
  })
  folderHash?: string | null;
}

@Resolver(() => File)
export class FileResolver {
  @Directive(listSize('limit', ['files']))
  @Query(() => FileList, {
    description: 'Lists the files of a folder, ordered by path hash. Errors: BAD_REQUEST, FORBIDDEN for another owner.',
  })
  files(
    @Args(() => FolderArgs) folder: FolderArgs,
    @Arg('offset', () => Int, { nullable: true, description: 'Number of files to skip; default 0.' })
    offset: number | null,
    @Arg('limit', () => Int, { nullable: true, description: 'Page size; default 1000, maximum 5000.' })
    limit: number | null,
    @Ctx() { viewer, database }: Context,
  ): Promise<FileList> {
    requireOwner(viewer, folder.ownerAddress);
    return listFiles(database, readFolder(folder), readPage(offset, limit, STATE_PAGE));
  }

  @Query(() => File, {
    description: 'A file of a folder. Errors: BAD_REQUEST, FORBIDDEN for another owner, NOT_FOUND.',
  })
  file(
    @Args(() => FolderArgs) folder: FolderArgs,
    @Arg('fileId', () => ID, { description: 'File id: hex of the path hash.' }) fileId: string,
    @Ctx() { viewer, database }: Context,
  ): Promise<File> {
    requireOwner(viewer, folder.ownerAddress);
    return findFile(database, readFolder(folder), readFileId(fileId));
  }

  @Mutation(() => UploadResult, {
    description:
      'Stores a file in one request, new or as the next revision. Errors: BAD_REQUEST with `reason` invalid_manifest or stale_sequence, FORBIDDEN for another owner, PAYMENT_REQUIRED with `balance_cents` and `required_cents`, CONFLICT with `current_revision_id` and `current_revision_seq`.',
  })
  uploadFile(
    @Arg('manifest', () => ManifestInput, { description: 'Signed manifest of the file.' }) manifest: ManifestInput,
    @Arg('bytes', () => Upload, { description: 'Ciphertext of the file.' }) bytes: ByteSource,
    @Ctx() context: SyncContext,
  ): Promise<UploadResult> {
    requireOwner(context.viewer, manifest.ss58Address);
    return uploadFile(context, readManifest(manifest), bytes);
  }

  @Mutation(() => PlainUpload, {
    description:
      'Stores an unencrypted file outside of folders; replaces a file with the same name. For object-store gateways. Errors: BAD_REQUEST, FORBIDDEN for another owner, PAYMENT_REQUIRED.',
  })
  uploadPlainFile(
    @Arg('ownerAddress', () => String, { description: 'SS58 address of the owner; must be your own.' })
    ownerAddress: string,
    @Arg('fileName', () => String, { description: 'File name, or the file id as 64 hex digits.' }) fileName: string,
    @Arg('bytes', () => Upload, { description: 'Bytes of the file.' }) bytes: ByteSource,
    @Ctx() context: SyncContext,
  ): Promise<PlainUpload> {
    requireOwner(context.viewer, ownerAddress);
    return uploadPlainFile(context, { ownerAddress, fileName, bytes });
  }

  @Mutation(() => DeletedFile, {
    description:
      'Deletes a file. Errors: BAD_REQUEST, FORBIDDEN for another owner, NOT_FOUND, also if the file was already deleted.',
  })
  async deleteFile(
    @Args(() => FolderArgs) args: FolderArgs,
    @Arg('fileId', () => ID, { description: 'File id: hex of the path hash.' }) fileId: string,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<DeletedFile> {
    requireOwner(viewer, args.ownerAddress);
    const folder = readFolder(args);
    await deleteFile(database, folder, fileId, now());
    return { status: 'deleted', fileId, ...folder };
  }

  @Mutation(() => DeletedFiles, {
    description:
      'Deletes files independently of each other; files that it could not delete in time are among the errors, with the code database_error. Errors: BAD_REQUEST for more than 1000, FORBIDDEN for another owner.',
  })
  deleteFiles(
    @Args(() => FolderArgs) folder: FolderArgs,
    @Arg('fileIds', () => [String], { description: 'File ids: hex of the path hashes, at most 1000.' })
    fileIds: string[],
    @Arg('quiet', () => Boolean, { nullable: true, description: 'Return errors only.' }) quiet: boolean | null,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<DeletedFiles> {
    requireOwner(viewer, folder.ownerAddress);
    if (fileIds.length > MAX_DELETIONS) {
      throw badRequest(`At most ${MAX_DELETIONS} files can be deleted at once.`, { reason: 'batch_too_large' });
    }
    return deleteFiles(database, readFolder(folder), { fileIds, isQuiet: quiet === true }, now);
  }
}

/** Downloads a file; without a folder hash, a file of an object-store gateway. */
export const downloadFile: ByteEndpoint = async ({ ss58, folder_hash, file_id, range }, context) => {
  const ownerAddress = String(ss58);
  requireOwner(context.viewer, ownerAddress);
  const folder = readFolder({ ownerAddress, folderHash: typeof folder_hash === 'string' ? folder_hash : null });
  return openFile({ ...context, services: context.services as SyncServices }, folder, {
    fileId: String(file_id),
    range,
  });
};

function readFolder({ ownerAddress, folderHash }: FolderArgs): FolderName {
  return { ownerAddress, folderHash: folderHash ? readFolderHash(folderHash) : '' };
}
