import { Args, ArgsType, Ctx, Directive, Field, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { SubgraphName } from '../config/config.js';
import { listSize } from '../paging/page.js';
import { DateTime } from '../scalars/scalars.js';
import { hasRole, requireRole, type Viewer } from '../security/viewer.js';
import { listAuditEntries, NO_USER_ID, type AuditReader } from './audit.actions.js';
import { AuditPage } from './audit-entry.js';

/** Selects entries of an audit log. */
@ArgsType()
class AuditArguments {
  @Field(() => Int, { nullable: true, description: 'Maximum number of entries: default 50, at most 200.' })
  first!: number | null;

  @Field(() => String, { nullable: true, description: 'The `nextCursor` of the previous page.' })
  after!: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Only entries from this time on.' })
  since!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Only entries before this time.' })
  until!: Date | null;

  @Field(() => String, { nullable: true, description: 'Only entries of this mutation, for example `createGroup`.' })
  mutation!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Leave out entries of this mutation, for example `refreshMasterToken`.',
  })
  except!: string | null;
}

interface Reader extends AuditReader {
  readonly viewer: Viewer;
}

interface User {
  readonly id: number;
}

/** Returns the resolver of the audit log of a subgraph. @param user the User class of the subgraph */
export function auditLogResolverOf(subgraph: SubgraphName, user: new () => User): new () => object {
  const name = `${subgraph}AuditLog`;

  @Resolver(() => user)
  class AuditLogResolver {
    @Directive(listSize('first'))
    @FieldResolver(() => AuditPage, {
      name,
      nullable: true,
      description: `Changes in ${subgraph} by this user, and by others to this user's data, newest first. Null unless the viewer is this user or an administrator. BAD_REQUEST for an invalid cursor.`,
    })
    async entriesOfUser(
      @Root() { id }: User,
      @Args(() => AuditArguments) filter: AuditArguments,
      @Ctx() context: Reader,
    ): Promise<AuditPage | null> {
      const { viewer } = context;
      if (hasRole(viewer, 'ADMIN')) return listAuditEntries(context, id, filter);
      const isOwn = viewer.kind === 'user' && viewer.userId === id;
      return isOwn ? withoutActors(await listAuditEntries(context, id, filter)) : null;
    }

    @Directive(listSize('first'))
    @Query(() => AuditPage, {
      name,
      description: `What services and callers without a token changed in ${subgraph}, newest first. Requires the role ADMIN. Error BAD_REQUEST.`,
    })
    async entriesWithoutUser(
      @Args(() => AuditArguments) filter: AuditArguments,
      @Ctx() context: Reader,
    ): Promise<AuditPage> {
      requireRole(context.viewer, 'ADMIN');
      return listAuditEntries(context, NO_USER_ID, filter);
    }
  }
  return AuditLogResolver;
}

/** Hides who made a change and from where; `actor` stays. */
function withoutActors({ results, ...page }: AuditPage): AuditPage {
  const hidden = { actorId: null, tokenId: null, clientAddress: null, userAgent: null };
  return { ...page, results: results.map((entry) => (entry.actor === null ? entry : { ...entry, ...hidden })) };
}
