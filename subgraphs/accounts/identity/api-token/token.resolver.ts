import { Arg, Ctx, Directive, Int, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { hashToken } from '../../../../kernel/security/credentials.js';
import { badRequest, notFound } from '../../../../kernel/errors.js';
import type { PlatformEvent } from '../../../../kernel/events/events.js';
import { checkLine } from '../../../../kernel/scalars/text.js';
import { hasRole, requirePlatform, requireRole, requireUser, type Role } from '../../../../kernel/security/viewer.js';
import type { AccountsContext } from '../../services.js';
import { countAttempt, type RateLimit } from '../rate-limit/rate.actions.js';
import { RoleEnum } from '../user/user.js';
import { refuseEscalation } from '../user/user.rules.js';
import { createToken, issueServiceToken } from './new-token.actions.js';
import { findTokenHolder, listServiceTokens, listTokens, TOKEN_CHANGES, revokeToken } from './token.actions.js';
import { recordUse } from './token-use.actions.js';
import { checkTokenDays } from './token.rules.js';
import { CreatedToken, IssuedToken, ServiceToken, Token, TokenCheck, TokenHolder } from './token.js';

/** Limit of created tokens per user. */
const CREATE_RATE: RateLimit = { scope: 'create-token', max: 30, windowSeconds: 60 };

@Resolver()
export class TokenResolver {
  @Query(() => TokenCheck, {
    description: 'Verifies an API token. Error NOT_FOUND if it is unknown, expired or revoked.',
  })
  async verifyToken(
    @Arg('token', () => String, { description: 'The API token to verify.' }) token: string,
    @Ctx() context: AccountsContext,
  ): Promise<TokenCheck> {
    if (token === '') throw badRequest('`token` is required.');
    const holder = await findTokenHolder(context, hashToken(token));
    if (!holder) throw notFound('This token is invalid or unknown.');
    const { userId, username, substrateAddress } = holder;
    return { valid: true, userId, username, substrateAddress };
  }

  @Query(() => [Token], { description: 'Your valid API tokens, newest first.' })
  tokens(@Ctx() { viewer, database, now }: Context): Promise<Token[]> {
    return listTokens(database, requireUser(viewer), now());
  }

  @Mutation(() => CreatedToken, {
    description:
      'Creates an API token for a program, with all your rights. It stays valid when the token or session of this request ends. A repeated request creates another token. For users only. Errors FORBIDDEN for services, BAD_REQUEST, CONFLICT above 100 valid created tokens, RATE_LIMITED above 30 per minute.',
  })
  async createToken(
    @Arg('name', () => String, { description: 'Name of the token, 1 to 100 characters.' }) name: string,
    @Arg('days', () => Int, { defaultValue: 90, description: 'Days until it expires, 1 to 365.' }) days: number,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<CreatedToken> {
    const user = requireUser(viewer);
    const checked = { name: checkLine('name', name.trim(), 100), days: checkTokenDays(days) };
    await countAttempt(database, CREATE_RATE, String(user.userId), now());
    return createToken(database, user, checked, now());
  }

  @Mutation(() => Boolean, {
    description:
      'Revokes one of your tokens; administrators can revoke any token. Its open websockets close. Error NOT_FOUND for tokens of other users.',
  })
  async revokeToken(
    @Arg('id', () => String, { description: 'The id of the token.' }) id: string,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<boolean> {
    const userId = hasRole(viewer, 'ADMIN') ? undefined : requireUser(viewer).userId;
    await revokeToken(database, { id, userId, viewer }, now());
    return true;
  }

  @Mutation(() => IssuedToken, { description: 'Issues a token for a service. Requires the role ADMIN.' })
  adminCreateServiceToken(
    @Arg('name', () => String, { description: 'Name of the service, 1 to 100 characters.' }) name: string,
    @Arg('roles', () => [RoleEnum], { description: 'Roles of the service.' }) roles: Role[],
    @Ctx() { viewer, database, now }: Context,
  ): Promise<IssuedToken> {
    requireRole(viewer, 'ADMIN');
    refuseEscalation(viewer, roles);
    if (name.trim() === '' || name.length > 100) throw badRequest('`name` must have 1 to 100 characters.');
    return issueServiceToken(database, { name, roles: [...new Set(roles)] }, now());
  }

  @Query(() => [ServiceToken], {
    description: 'The tokens of all services, newest first. Requires the role ADMIN.',
  })
  serviceTokens(@Ctx() { viewer, database }: Context): Promise<ServiceToken[]> {
    requireRole(viewer, 'ADMIN');
    return listServiceTokens(database);
  }

  @Directive('@inaccessible')
  @Query(() => TokenHolder, {
    nullable: true,
    description: 'The holder of a token; the gateway calls this once per request.',
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
      'For the gateway: the id of each token that is revoked or whose holder gets other roles; null means that events may have been lost, so check cached tokens again.',
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
