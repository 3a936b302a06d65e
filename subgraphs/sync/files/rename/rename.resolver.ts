import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { badRequest } from '../../../../kernel/errors.js';
import { ByteArray } from '../../../../kernel/scalars/scalars.js';
import { readFolderHash, requireOwner } from '../../inputs/owner.rules.js';
import type { SyncContext } from '../../services.js';
import { registerRelativePaths, renameFiles } from './rename.actions.js';
import { PathRegistration, RelativePathInput, RenameInput, RenameResult } from './rename.js';
import { checkRenames, MAX_PATHS } from './rename.rules.js';

@Resolver()
export class RenameResolver {
  @Mutation(() => RenameResult, {
    description:
      'Renames files of a folder independently of each other; the stored bytes do not change. Errors: BAD_REQUEST with `reason` batch_too_large or invalid_manifest, FORBIDDEN for another owner.',
  })
  renameFiles(
    @Arg('ownerAddress', () => String, { description: 'SS58 address of the owner.' }) ownerAddress: string,
    @Arg('folderHash', () => String, { description: 'Folder hash: 16 hex digits.' }) folderHash: string,
    @Arg('renames', () => [RenameInput], { description: 'Files to rename, at most 1000.' }) renames: RenameInput[],
    @Arg('signature', () => ByteArray, {
      description: '64 bytes: Ed25519 signature of the message that lists the pairs of path hashes.',
    })
    signature: Buffer,
    @Arg('signingKey', () => ByteArray, { description: '32 bytes: Ed25519 public key that verifies the signature.' })
    signingKey: Buffer,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<RenameResult> {
    requireOwner(viewer, ownerAddress);
    checkRenames(renames, { signature, signingKey });
    return renameFiles(database, { ownerAddress, folderHash: readFolderHash(folderHash) }, renames, now());
  }

  @Mutation(() => PathRegistration, {
    description:
      'Registers the paths of files that were stored without a path, so that they can be browsed and searched. Errors: BAD_REQUEST with `reason` batch_too_large, FORBIDDEN for another owner.',
  })
  registerRelativePaths(
    @Arg('ownerAddress', () => String, { description: 'SS58 address of the owner.' }) ownerAddress: string,
    @Arg('folderHash', () => String, { description: 'Folder hash: 16 hex digits.' }) folderHash: string,
    @Arg('entries', () => [RelativePathInput], { description: 'Files and their paths, at most 500.' })
    entries: RelativePathInput[],
    @Ctx() { viewer, database, services }: SyncContext,
  ): Promise<PathRegistration> {
    requireOwner(viewer, ownerAddress);
    if (entries.length > MAX_PATHS)
      throw badRequest(`At most ${MAX_PATHS} paths can be registered at once.`, { reason: 'batch_too_large' });
    return registerRelativePaths(
      { database, services },
      { ownerAddress, folderHash: readFolderHash(folderHash) },
      entries,
    );
  }
}
