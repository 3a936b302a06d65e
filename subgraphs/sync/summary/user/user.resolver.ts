import { Ctx, Directive, FieldResolver, Resolver, Root } from 'type-graphql';
import { batched } from '../../../../kernel/concurrency/batched.js';
import { OWNER_COST } from '../../../../kernel/subgraph/costs.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { listFolders } from '../../folders/folder/folder.actions.js';
import { Folder } from '../../folders/folder/folder.js';
import { summarize } from '../storage/summary.actions.js';
import { StorageSummary } from '../storage/summary.js';
import { User } from './user.js';
import { ownAddress } from './user.rules.js';

/** Returns a function that loads a value of the viewer, once for all users that are the viewer; null for others. */
function ofViewer<Value>(load: (context: Context, address: string) => Promise<Value>) {
  const find = batched(async (context: Context, users: readonly User[]) => {
    const addresses = users.map((user) => ownAddress(context.viewer, user));
    const own = addresses.find((address) => address !== undefined);
    const value = own === undefined ? null : await load(context, own);
    return addresses.map((address) => (address === undefined ? null : value));
  });
  return async (context: Context, user: User): Promise<Value | null> => (await find(context, user)) ?? null;
}

const foldersOf = ofViewer(({ database }, address) => listFolders(database, address));
const storageOf = ofViewer(({ database, now }, address) => summarize(database, address, now()));

@Resolver(() => User)
export class UserResolver {
  @Directive('@requires(fields: "substrateAddress")')
  @FieldResolver(() => [Folder], {
    nullable: true,
    description: 'Folders of the SS58 address of the user, oldest first; null for other users.',
  })
  folders(@Root() user: User, @Ctx() context: Context): Promise<Folder[] | null> {
    return foldersOf(context, user);
  }

  @Directive('@requires(fields: "substrateAddress")')
  @FieldResolver(() => StorageSummary, {
    nullable: true,
    description: 'Totals of all files of the SS58 address of the user; null for other users.',
  })
  storage(@Root() user: User, @Ctx() context: Context): Promise<StorageSummary | null> {
    return storageOf(context, user);
  }
}

@Resolver(() => Folder)
export class FolderOwnerResolver {
  @FieldResolver(() => User, { description: 'You, its owner.' })
  @Directive(OWNER_COST)
  owner(@Ctx() { viewer }: Context): User {
    const { userId: id, substrateAddress } = requireUser(viewer);
    return { id, substrateAddress };
  }
}
