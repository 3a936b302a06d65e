import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { pageRequest } from '../../../../kernel/paging.js';
import { requireRole } from '../../../../kernel/viewer.js';
import { linkCustomer, unlinkCustomer, type CustomerLink } from '../payment/customer.actions.js';
import { processorOf } from '../processor/open-processor.js';
import type { AccountsContext } from '../../services.js';
import { userByAddress } from '../../identity/user/user.actions.js';
import { flaggedPayments, listEvents, receiveEvent, remainingEvents, replayEvents } from './event.actions.js';
import { CustomerUnlinking, FlaggedPayment, ProcessorEventPage, ReplayResult, WebhookReceipt } from './event.js';
import { reconcile } from './reconciliation.actions.js';

const PER_PAGE = 50;

@Resolver()
export class WebhookResolver {
  @Mutation(() => WebhookReceipt, {
    description: 'Takes what the payment processor tells. Errors BAD_REQUEST for a bad signature, UNAVAILABLE.',
  })
  async receiveWebhook(
    @Arg('payload', () => String, { description: 'The body, byte for byte.' }) payload: string,
    @Arg('signature', () => String, { nullable: true, description: 'The header that signs it.' })
    signature: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<WebhookReceipt> {
    const processor = await processorOf(context);
    await receiveEvent(context, await processor.readWebhook(payload, signature ?? ''));
    return { received: true };
  }

  @Query(() => ProcessorEventPage, { description: 'What the payment processor told. Needs the role ADMIN.' })
  processorEvents(
    @Arg('status', () => String, { nullable: true, description: 'Only those in this state, e.g. parked.' })
    status: string | null,
    @Arg('page', () => Int, { nullable: true, description: 'From 1, which is the default.' }) page: number | null,
    @Arg('pageSize', () => Int, { nullable: true, description: 'Default 50, at most 200.' }) pageSize: number | null,
    @Ctx() { viewer, database }: AccountsContext,
  ): Promise<ProcessorEventPage> {
    requireRole(viewer, 'ADMIN');
    return listEvents(database, status, pageRequest(page, pageSize, PER_PAGE));
  }

  @Query(() => [FlaggedPayment], {
    description: 'Payments that are not what was created and wait for a decision. Needs the role ADMIN.',
  })
  flaggedPayments(@Ctx() { viewer, database }: AccountsContext): Promise<FlaggedPayment[]> {
    requireRole(viewer, 'ADMIN');
    return flaggedPayments(database);
  }

  @Mutation(() => ReplayResult, {
    description: 'Tries events again that wait, are flagged or failed. Needs the role ADMIN.',
  })
  async adminReplayEvents(
    @Arg('ids', () => [String], { nullable: true, description: 'Only these; all when left out.' }) ids: string[] | null,
    @Ctx() context: AccountsContext,
  ): Promise<ReplayResult> {
    requireRole(context.viewer, 'ADMIN');
    const replayed = await replayEvents(context, { ...(ids != null && { ids }), withFailed: true });
    return { replayed, remaining: await remainingEvents(context.database) };
  }

  @Mutation(() => ReplayResult, {
    description: 'Compares with what the payment processor remembers, now. Needs the role ADMIN. Error UNAVAILABLE.',
  })
  async adminReconcilePayments(@Ctx() context: AccountsContext): Promise<ReplayResult> {
    requireRole(context.viewer, 'ADMIN');
    const replayed = await reconcile(context);
    return { replayed, remaining: await remainingEvents(context.database) };
  }

  @Mutation(() => ReplayResult, {
    description:
      'Notes whose customer record of the payment processor this is, beside those that the user has; what waited for it takes effect. Needs the role ADMIN. Errors BAD_REQUEST, NOT_FOUND for an unknown address or record, CONFLICT when it is another user’s, UNAVAILABLE.',
  })
  async adminLinkCustomer(
    @Arg('substrateAddress', () => String, { description: 'SS58 address of the user.' }) substrateAddress: string,
    @Arg('customerId', () => String, { description: 'The payment processor’s id of the record.' }) customerId: string,
    @Ctx() context: AccountsContext,
  ): Promise<ReplayResult> {
    requireRole(context.viewer, 'ADMIN');
    const { id: userId } = await userByAddress(context.database, substrateAddress);
    await linkCustomer(context, { userId, customerId });
    writeDown(context, { userId, customerId }, 'an administrator linked a customer record');
    const replayed = await replayEvents(context, { waitsFor: customerId });
    return { replayed, remaining: await remainingEvents(context.database) };
  }

  @Mutation(() => CustomerUnlinking, {
    description:
      'Takes a customer record of the payment processor from a user; what it did before stays done, and what comes later waits until the record is linked again. Again is the same. Needs the role ADMIN. Errors BAD_REQUEST, NOT_FOUND for an unknown address.',
  })
  async adminUnlinkCustomer(
    @Arg('substrateAddress', () => String, { description: 'SS58 address of the user.' }) substrateAddress: string,
    @Arg('customerId', () => String, { description: 'The payment processor’s id of the record.' }) customerId: string,
    @Ctx() context: AccountsContext,
  ): Promise<CustomerUnlinking> {
    requireRole(context.viewer, 'ADMIN');
    const { id: userId } = await userByAddress(context.database, substrateAddress);
    const hasChanged = await unlinkCustomer(context, { userId, customerId });
    if (hasChanged) writeDown(context, { userId, customerId }, 'an administrator unlinked a customer record');
    return { hasChanged };
  }
}

/** Notes in the log who did it. */
function writeDown({ log, viewer, requestId }: AccountsContext, link: CustomerLink, what: string): void {
  const by = viewer.kind === 'user' ? `user ${viewer.userId}` : viewer.kind === 'service' ? viewer.name : viewer.kind;
  log.info({ requestId, by, ...link }, what);
}
