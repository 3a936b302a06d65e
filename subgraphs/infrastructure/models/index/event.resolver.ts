import { Arg, Ctx, Field, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { matchesSecret, tokenOf } from '../../../../kernel/security/credentials.js';
import { badRequest, unauthenticated, unavailable } from '../../../../kernel/errors.js';
import type { InfrastructureContext } from '../../services.js';
import { readEvents } from './event.rules.js';
import { enqueuePolls } from './poll.actions.js';

@ObjectType({ description: 'Result of registry notifications.', simpleResolvers: true })
export class RegistryReceipt {
  @Field(() => Int, { description: 'Number of manifests that will be checked.' })
  accepted!: number;
}

@Resolver()
export class RegistryEventResolver {
  @Mutation(() => RegistryReceipt, {
    description:
      'Receives change notifications from the model registry. Errors: UNAUTHENTICATED without the token of the registry, BAD_REQUEST, UNAVAILABLE when no registry is configured.',
  })
  async receiveRegistryEvents(
    @Arg('payload', () => String, { nullable: true, description: 'The notification envelope, as JSON.' })
    payload: string | null,
    @Arg('authorization', () => String, {
      nullable: true,
      description: '`Bearer` followed by the token of the registry.',
    })
    authorization: string | null,
    @Ctx() { services, database, jobs }: InfrastructureContext,
  ): Promise<RegistryReceipt> {
    const { registry } = services;
    if (!registry || registry.notificationTokens.length === 0)
      throw unavailable('Registry notifications are not configured: set REGISTRY_URL and REGISTRY_TOKEN.');
    if (!matchesSecret(tokenOf(authorization ?? undefined) ?? '', registry.notificationTokens))
      throw unauthenticated('Registry notifications require the token of the registry.');
    if (payload == null) throw badRequest('The body is required.');
    const references = readEvents(payload);
    await enqueuePolls({ database, jobs }, references);
    return { accepted: references.length };
  }
}
