import { Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireRole } from '../../../../kernel/security/viewer.js';
import { latestProof, requestProof } from './ledger-proof.actions.js';
import { LedgerProof } from './ledger-proof.js';
import type { AccountsContext } from '../../services.js';

@Resolver()
export class LedgerProofResolver {
  @Query(() => LedgerProof, {
    nullable: true,
    description: 'Result of the last ledger check; null before the first check. Requires the role ADMIN.',
  })
  async ledgerProof(@Ctx() { viewer, database }: Context): Promise<LedgerProof | null> {
    requireRole(viewer, 'ADMIN');
    return (await latestProof(database)) ?? null;
  }

  @Mutation(() => Boolean, {
    description:
      'Queues a check of the ledger now, in addition to the nightly one; `ledgerProof` then returns its result. Always true. Limit: 6 per hour for all administrators, else RATE_LIMITED. Requires the role ADMIN.',
  })
  async adminProveLedger(@Ctx() context: AccountsContext): Promise<boolean> {
    requireRole(context.viewer, 'ADMIN');
    await requestProof(context);
    return true;
  }
}
