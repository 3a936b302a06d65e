import { Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { unavailable } from '../../../../kernel/errors.js';
import { requireRole } from '../../../../kernel/security/viewer.js';
import type { InfrastructureContext } from '../../services.js';
import { CRAWL_MODELS } from './crawl.actions.js';
import { requestCrawl, currentCrawl } from './crawl-state.actions.js';
import { ModelCrawl, RegistryStateEnum, type RegistryState } from './crawl.js';

@Resolver()
export class ModelCrawlResolver {
  @Query(() => ModelCrawl, {
    description:
      'State of the current or last full comparison of the model index with the registry. Requires the role ADMIN.',
  })
  modelCrawl(@Ctx() { viewer, database }: InfrastructureContext): Promise<ModelCrawl> {
    requireRole(viewer, 'ADMIN');
    return currentCrawl(database);
  }

  @Query(() => RegistryStateEnum, {
    description: 'Whether a model registry is configured and was read. No sign-in required.',
  })
  async modelRegistryState(@Ctx() { database, services }: InfrastructureContext): Promise<RegistryState> {
    if (!services.registry) return 'missing';
    const { number, isPending } = await currentCrawl(database);
    return number > 1 || (number === 1 && !isPending) ? 'read' : 'reading';
  }

  @Mutation(() => ModelCrawl, {
    description:
      'Queues a full comparison of the model index with the registry now, instead of 15 minutes after the last one ended. Requires the role ADMIN. Error UNAVAILABLE when no registry is configured.',
  })
  async adminCrawlModels(@Ctx() { viewer, database, jobs, services }: InfrastructureContext): Promise<ModelCrawl> {
    requireRole(viewer, 'ADMIN');
    if (!services.registry) throw unavailable('No registry is configured: REGISTRY_URL is not set.');
    return requestCrawl({ database, jobs }, CRAWL_MODELS.name);
  }
}
