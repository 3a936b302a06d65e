import { Arg, Ctx, Directive, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { hashToken } from '../../../../kernel/security/credentials.js';
import { badRequest, notFound } from '../../../../kernel/errors.js';
import type { PlatformEvent } from '../../../../kernel/events/events.js';
import { hasRole, requirePlatform, requireRole, requireUser, type Role } from '../../../../kernel/viewer.js';
import type { AccountsContext } from '../../services.js';
import { RoleEnum } from '../user/user.js';
import { refuseEscalation } from '../user/user.rules.js';
import {
  findTokenHolder,
  issueServiceToken,
  listServiceTokens,
  listTokens,
  recordUse,
  TOKEN_CHANGES,
  revokeToken,
} from './token.actions.js';
import { IssuedToken, ServiceToken, Token, TokenCheck, TokenHolder } from './token.js';

@Resolver()
export class TokenResolver {
  @Query(() => TokenCheck, {
    description: 'Checks an API token. Error NOT_FOUND when it is unknown, expired or revoked.',
  })
  async verifyToken(
    @Arg('token', () => String, { description: 'The API token to check.' }) token: string,
    @Ctx() context: AccountsContext,
  ): Promise<TokenCheck> {
    if (token === '') throw badRequest('`token` is required.');
    const holder = await findTokenHolder(context, hashToken(token));
    if (!holder) throw notFound('This token is invalid or unknown.');
    const { userId, username, substrateAddress } = holder;
    return { valid: true, userId, username, substrateAddress };
  }

  @Query(() => [Token], { description: 'The tokens by which you are signed in, newest first.' })
  tokens(@Ctx() { viewer, database, now }: Context): Promise<Token[]> {
    return listTokens(database, requireUser(viewer), now());
  }

  @Mutation(() => Boolean, {
    description:
      'Ends one of your tokens, or as an administrator any; its open websockets close. Error NOT_FOUND for others.',
  })
  async revokeToken(
    @Arg('id', () => String, { description: 'The id of the token.' }) id: string,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<boolean> {
    const userId = hasRole(viewer, 'ADMIN') ? undefined : requireUser(viewer).userId;
    await revokeToken(database, { id, userId, viewer }, now());
    return true;
  }

  @Mutation(() => IssuedToken, { description: 'Issues a token for a service. Needs the role ADMIN.' })
  adminCreateServiceToken(
    @Arg('name', () => String, { description: 'What the service is called, 1 to 100 characters.' }) name: string,
    @Arg('roles', () => [RoleEnum], { description: 'What the service may do.' }) roles: Role[],
    @Ctx() { viewer, database, now }: Context,
  ): Promise<IssuedToken> {
    requireRole(viewer, 'ADMIN');
    refuseEscalation(viewer, roles);
    if (name.trim() === '' || name.length > 100) throw badRequest('`name` must have 1 to 100 characters.');
    return issueServiceToken(database, { name, roles: [...new Set(roles)] }, now());
  }

  @Query(() => [ServiceToken], {
    description: 'The tokens of services, newest first, to revoke those no longer needed. Needs the role ADMIN.',
  })
  serviceTokens(@Ctx() { viewer, database }: Context): Promise<ServiceToken[]> {
    requireRole(viewer, 'ADMIN');
    return listServiceTokens(database);
  }

  @Directive('@inaccessible')
  @Query(() => TokenHolder, {
    nullable: true,
    description: 'Who holds a token; asked by the gateway once per request.',
  })
  async tokenHolder(
    @Arg('hash', () => String, { description: 'SHA-256 of the token, lower-case hex.' }) hash: string,
    @Ctx() context: AccountsContext,
  ): Promise<TokenHolder | null> {
    requirePlatform(context.viewer);
    const holder = await findTokenHolder(context, hash);
    if (holder) recordUse(context, holder, { kind: 'token', now: context.now() });
    return holder ?? null;
  }

  @Directive('@inaccessible')
  @Subscription(() => String, {
    nullable: true,
    description:
      'Ids of tokens as they are revoked or their holder is given other roles, for the gateway; null: some may have been missed, check those you care for.',
    subscribe: ({ context }: { context: Context }) => tokenChanges(context),
  })
  tokenChanged(@Root() event: PlatformEvent): string | null {
    return event.id ?? null;
  }
}

function tokenChanges({ viewer, events, signal }: Context): AsyncIterable<PlatformEvent> {
  requirePlatform(viewer);
  return events.subscribe([TOKEN_CHANGES], signal);
}
