import { Ctx, Directive, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { listFolders } from '../../folders/folder/folder.actions.js';
import { Folder } from '../../folders/folder/folder.js';
import { summarize } from '../storage/summary.actions.js';
import { StorageSummary } from '../storage/summary.js';
import { User } from './user.js';
import { ownAddress } from './user.rules.js';

@Resolver(() => User)
export class UserResolver {
  @Directive('@requires(fields: "substrateAddress")')
  @FieldResolver(() => [Folder], {
    nullable: true,
    description: 'Folders of the SS58 address of the user, oldest first; null for other users.',
  })
  async folders(@Root() user: User, @Ctx() { viewer, database }: Context): Promise<Folder[] | null> {
    const address = ownAddress(viewer, user);
    return address === undefined ? null : listFolders(database, address);
  }

  @Directive('@requires(fields: "substrateAddress")')
  @FieldResolver(() => StorageSummary, {
    nullable: true,
    description: 'Totals of all files of the SS58 address of the user; null for other users.',
  })
  async storage(@Root() user: User, @Ctx() { viewer, database, now }: Context): Promise<StorageSummary | null> {
    const address = ownAddress(viewer, user);
    return address === undefined ? null : summarize(database, address, now());
  }
}
