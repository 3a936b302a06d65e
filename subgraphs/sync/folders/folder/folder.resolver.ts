import { Arg, Args, ArgsType, Ctx, Field, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { listFolders, registerFolder, unregisterFolder } from './folder.actions.js';
import { Folder, FolderList, Registration, Unregistration } from './folder.js';
import { checkDeviceName, checkLabel } from './folder.rules.js';
import { readFolderHash, requireOwner } from '../../inputs/owner.rules.js';

@ArgsType()
class NewFolderArgs {
  @Field(() => String, { description: 'Your SS58 address.' })
  ownerAddress!: string;

  @Field(() => String, { description: 'First 16 hex digits of the SHA-256 of the label.' })
  folderHash!: string;

  @Field(() => String, { description: 'The name for people, up to 4096 bytes; may be empty.' })
  label!: string;

  @Field(() => String, { nullable: true, description: 'The device that registers it, up to 256 bytes.' })
  deviceName?: string | null;
}

@Resolver(() => Folder)
export class FolderResolver {
  @Query(() => FolderList, {
    description: 'Your folders. Errors: BAD_REQUEST for the address, FORBIDDEN for another’s.',
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
      'Registers a folder of yours. Errors: BAD_REQUEST, FORBIDDEN for another’s address, CONFLICT the second time.',
  })
  async registerFolder(
    @Args(() => NewFolderArgs) { ownerAddress, label, ...rest }: NewFolderArgs,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<Registration> {
    requireOwner(viewer, ownerAddress);
    const folderHash = readFolderHash(rest.folderHash);
    const deviceName = rest.deviceName ?? '';
    checkLabel(label);
    checkDeviceName(deviceName);
    return registerFolder(database, { ownerAddress, folderHash, label, deviceName }, now());
  }

  @Mutation(() => Unregistration, {
    description:
      'Forgets a folder of yours with all its files; for seven days `restoreFolder` has it back, and its files are charged for; files that are deleted before are not. Errors: BAD_REQUEST, FORBIDDEN for another’s address, NOT_FOUND.',
  })
  async unregisterFolder(
    @Arg('ownerAddress', () => String, { description: 'Your SS58 address.' }) ownerAddress: string,
    @Arg('folderHash', () => String, { description: 'The folder, 16 hex digits.' }) folderHash: string,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<Unregistration> {
    requireOwner(viewer, ownerAddress);
    return unregisterFolder(database, { ownerAddress, folderHash: readFolderHash(folderHash) }, now());
  }
}
