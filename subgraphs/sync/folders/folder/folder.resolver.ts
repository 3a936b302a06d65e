import { Arg, Args, ArgsType, Ctx, Field, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { listFolders, registerFolder, unregisterFolder } from './folder.actions.js';
import type { SyncContext } from '../../services.js';
import { Folder, FolderList, Registration, Unregistration } from './folder.js';
import { checkDeviceName, checkLabel } from './folder.rules.js';
import { readFolderHash, requireOwner } from '../../inputs/owner.rules.js';

@ArgsType()
class NewFolderArgs {
  @Field(() => String, { description: 'Your SS58 address.' })
  ownerAddress!: string;

  @Field(() => String, { description: 'First 16 hex digits of the SHA-256 of the label.' })
  folderHash!: string;

  @Field(() => String, { description: 'Display name, at most 4096 bytes; may be empty.' })
  label!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the device that registers the folder, at most 256 bytes.',
  })
  deviceName?: string | null;
}

@Resolver(() => Folder)
export class FolderResolver {
  @Query(() => FolderList, {
    description: 'Your registered folders. Errors: BAD_REQUEST for an invalid address, FORBIDDEN for another owner.',
  })
  async folders(
    @Arg('ownerAddress', () => String, { description: 'Your SS58 address.' }) ownerAddress: string,
    @Ctx() { viewer, database }: Context,
  ): Promise<FolderList> {
    requireOwner(viewer, ownerAddress);
    return { ownerAddress, folders: await listFolders(database, ownerAddress) };
  }

  @Mutation(() => Registration, {
    description:
      'Registers a folder. Errors: BAD_REQUEST, with `reason` too_many_folders above 10,000, FORBIDDEN for another owner, CONFLICT if it is already registered, RATE_LIMITED for too many changes at once.',
  })
  async registerFolder(
    @Args(() => NewFolderArgs) { ownerAddress, label, ...rest }: NewFolderArgs,
    @Ctx() context: SyncContext,
  ): Promise<Registration> {
    requireOwner(context.viewer, ownerAddress);
    const folderHash = readFolderHash(rest.folderHash);
    const deviceName = rest.deviceName ?? '';
    checkLabel(label);
    checkDeviceName(deviceName);
    return registerFolder(context, { ownerAddress, folderHash, label, deviceName }, context.now());
  }

  @Mutation(() => Unregistration, {
    description:
      'Unregisters a folder and deletes its files. For seven days `restoreFolder` can restore them; from the next day (UTC) on they are not charged. Errors: BAD_REQUEST, FORBIDDEN for another owner, NOT_FOUND.',
  })
  async unregisterFolder(
    @Arg('ownerAddress', () => String, { description: 'Your SS58 address.' }) ownerAddress: string,
    @Arg('folderHash', () => String, { description: 'Folder hash: 16 hex digits.' }) folderHash: string,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<Unregistration> {
    requireOwner(viewer, ownerAddress);
    return unregisterFolder(database, { ownerAddress, folderHash: readFolderHash(folderHash) }, now());
  }
}
