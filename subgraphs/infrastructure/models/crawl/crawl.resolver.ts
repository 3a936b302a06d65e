import { Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { unavailable } from '../../../../kernel/errors.js';
import { requireRole } from '../../../../kernel/viewer.js';
import type { InfrastructureContext } from '../../services.js';
import { CRAWL_MODELS } from './crawl.actions.js';
import { askForCrawl, currentCrawl } from './crawl-state.actions.js';
import { ModelCrawl } from './crawl.js';

@Resolver()
export class ModelCrawlResolver {
  @Query(() => ModelCrawl, {
    description: 'How far the index is compared with all of the registry. Needs the role ADMIN.',
  })
  modelCrawl(@Ctx() { viewer, database }: InfrastructureContext): Promise<ModelCrawl> {
    requireRole(viewer, 'ADMIN');
    return currentCrawl(database);
  }

  @Mutation(() => ModelCrawl, {
    description:
      'Has the index compared with all of the registry soon, instead of within a quarter of an hour. Needs the role ADMIN. Error UNAVAILABLE where there is no registry.',
  })
  async adminCrawlModels(@Ctx() { viewer, database, jobs, services }: InfrastructureContext): Promise<ModelCrawl> {
    requireRole(viewer, 'ADMIN');
    if (!services.registry) throw unavailable('No registry is set up here: REGISTRY_URL is not set.');
    return askForCrawl({ database, jobs }, CRAWL_MODELS.name);
  }
}
