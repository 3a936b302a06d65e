import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { Folder } from '../../folders/folder/folder.js';
import { chargesOfFolder } from './folder-charge.actions.js';
import { FolderCharge } from './folder-charge.js';

@Resolver(() => Folder)
export class FolderChargeResolver {
  @FieldResolver(() => [FolderCharge], {
    description: 'Its share of the charges for storage in the last 62 days, latest first; empty while storage is free.',
  })
  async charges(@Root() { id }: Folder, @Ctx() context: Context): Promise<FolderCharge[]> {
    return (await chargesOfFolder(context, id)) ?? [];
  }
}
