import { Arg, Ctx, Field, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { isOneOf, tokenOf } from '../../../../kernel/security/credentials.js';
import { badRequest, unauthenticated, unavailable } from '../../../../kernel/errors.js';
import type { InfrastructureContext } from '../../services.js';
import { readEvents } from './event.rules.js';
import { askForLooks } from './poll.actions.js';

@ObjectType({ description: 'What became of notifications of the registry.', simpleResolvers: true })
export class RegistryReceipt {
  @Field(() => Int, { description: 'Manifests that are looked at because of them.' })
  accepted!: number;
}

@Resolver()
export class RegistryEventResolver {
  @Mutation(() => RegistryReceipt, {
    description:
      'Takes notifications of the registry that models are indexed from. Errors UNAUTHENTICATED without the token of the registry, BAD_REQUEST, UNAVAILABLE where there is no registry.',
  })
  async receiveRegistryEvents(
    @Arg('payload', () => String, { nullable: true, description: 'The envelope, as JSON.' }) payload: string | null,
    @Arg('authorization', () => String, { nullable: true, description: '`Bearer` and the token of the registry.' })
    authorization: string | null,
    @Ctx() { services, database, jobs }: InfrastructureContext,
  ): Promise<RegistryReceipt> {
    const { registry } = services;
    if (!registry || registry.notificationTokens.length === 0)
      throw unavailable('No registry sends notifications here: REGISTRY_URL and REGISTRY_TOKEN are not both set.');
    if (!isOneOf(tokenOf(authorization ?? undefined) ?? '', registry.notificationTokens))
      throw unauthenticated('Notifications need the token of the registry.');
    if (payload == null) throw badRequest('The body is required.');
    const references = readEvents(payload);
    await askForLooks({ database, jobs }, references);
    return { accepted: references.length };
  }
}
