import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { findFolder } from '../../folders/folder/folder.reference.js';
import { Folder } from '../../folders/folder/folder.js';
import { storageReference } from '../../usage/usage.rules.js';
import { foldersOfCharge } from './folder-charge.actions.js';
import { FolderCharge } from './folder-charge.js';
import { StorageCharge } from './storage-charge.js';

@Resolver(() => StorageCharge)
export class StorageChargeResolver {
  @FieldResolver(() => [FolderCharge], {
    description:
      'The shares of your folders, and one without a folder for upload sessions that were open all day, largest first; empty for charges older than 62 days.',
  })
  async folders(@Root() { id }: StorageCharge, @Ctx() context: Context): Promise<FolderCharge[]> {
    return (await foldersOfCharge(context, id)) ?? [];
  }
}

@Resolver(() => FolderCharge)
export class FolderOfChargeResolver {
  @FieldResolver(() => Folder, {
    nullable: true,
    description: 'The folder; null if it is not registered any more, and for uploads that are not finalized.',
  })
  async folder(@Root() { folderId }: FolderCharge, @Ctx() context: Context): Promise<Folder | null> {
    return (await findFolder(context, folderId)) ?? null;
  }

  @FieldResolver(() => StorageCharge, { description: 'The day’s storage charge: a line of the statement.' })
  charge(@Root() { day }: FolderCharge, @Ctx() { viewer }: Context): StorageCharge {
    const address = viewer.kind === 'user' ? (viewer.substrateAddress ?? '') : '';
    return { id: storageReference(address, day), day };
  }
}
