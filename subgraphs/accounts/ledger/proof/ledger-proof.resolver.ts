import { Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireRole } from '../../../../kernel/security/viewer.js';
import { latestProof } from './ledger-proof.actions.js';
import { LedgerProof } from './ledger-proof.js';

@Resolver()
export class LedgerProofResolver {
  @Query(() => LedgerProof, {
    nullable: true,
    description: 'Result of the last nightly ledger check; null before the first check. Requires the role ADMIN.',
  })
  async ledgerProof(@Ctx() { viewer, database }: Context): Promise<LedgerProof | null> {
    requireRole(viewer, 'ADMIN');
    return (await latestProof(database)) ?? null;
  }
}
