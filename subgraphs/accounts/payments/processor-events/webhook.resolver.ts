import { Arg, Args, Ctx, Directive, Mutation, Query, Resolver } from 'type-graphql';
import { PageArguments, listSize } from '../../../../kernel/paging/page.js';
import { pageRequest } from '../../../../kernel/paging/paging.js';
import { Decimal } from '../../../../kernel/scalars/scalars.js';
import { requireRole } from '../../../../kernel/security/viewer.js';
import type { Outcome } from './outcome.rules.js';
import { linkCustomer, unlinkCustomer, type CustomerLink } from '../customer/customer.actions.js';
import { processorOf } from '../processor/open-processor.js';
import type { AccountsContext } from '../../services.js';
import { userByKey } from '../../identity/user/user.actions.js';
import { UserKeyArguments, userKeyOf } from '../../identity/user/user-key.js';
import { listEvents, receiveEvent, remainingEvents, replayEvents } from './event.actions.js';
import { flaggedPayments, grantFlaggedPayment } from './flagged-payment.actions.js';
import {
  EventStatusEnum,
  CustomerUnlinking,
  FlaggedPayment,
  PaymentGrant,
  ProcessorEventPage,
  ReplayResult,
  WebhookReceipt,
} from './event.js';
import { reconcile } from './reconciliation.actions.js';

const PER_PAGE = 50;

@Resolver()
export class WebhookResolver {
  @Mutation(() => WebhookReceipt, {
    description:
      'Receives a webhook from the payment processor. Errors BAD_REQUEST for an invalid signature, UNAVAILABLE.',
  })
  async receiveWebhook(
    @Arg('payload', () => String, { description: 'The request body, byte for byte.' }) payload: string,
    @Arg('signature', () => String, { nullable: true, description: 'The signature header.' })
    signature: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<WebhookReceipt> {
    const processor = await processorOf(context);
    await receiveEvent(context, await processor.readWebhook(payload, signature ?? ''));
    return { received: true };
  }

  @Directive(listSize('pageSize'))
  @Query(() => ProcessorEventPage, { description: 'Events from the payment processor. Requires the role ADMIN.' })
  processorEvents(
    @Arg('status', () => EventStatusEnum, { nullable: true, description: 'Returns only events in this state.' })
    status: Outcome['status'] | null,
    @Args(() => PageArguments) { page, pageSize }: PageArguments,
    @Ctx() { viewer, database }: AccountsContext,
  ): Promise<ProcessorEventPage> {
    requireRole(viewer, 'ADMIN');
    return listEvents(database, status, pageRequest(page, pageSize, PER_PAGE));
  }

  @Query(() => [FlaggedPayment], {
    description: 'Payments that differ from their transaction and need a decision. Requires the role ADMIN.',
  })
  flaggedPayments(@Ctx() { viewer, database }: AccountsContext): Promise<FlaggedPayment[]> {
    requireRole(viewer, 'ADMIN');
    return flaggedPayments(database);
  }

  @Mutation(() => PaymentGrant, {
    description:
      'Grants the credits of a flagged payment, once. Later events of the payment grant nothing more, and refunds take back their part. Safe to repeat. Requires the role ADMIN. Errors BAD_REQUEST without `credits` if the plan is unknown, NOT_FOUND, CONFLICT if the payment is not flagged.',
  })
  async adminGrantFlaggedPayment(
    @Arg('transactionId', () => String, { description: 'The id of the transaction.' }) transactionId: string,
    @Arg('credits', () => Decimal, {
      nullable: true,
      description:
        'Credits to grant, above zero and at most 1000000000. Default: those of the transaction or its plan.',
    })
    credits: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<PaymentGrant> {
    requireRole(context.viewer, 'ADMIN');
    return grantFlaggedPayment(context, { id: transactionId, credits });
  }

  @Mutation(() => ReplayResult, {
    description: 'Processes parked, flagged and failed events again. Requires the role ADMIN.',
  })
  async adminReplayEvents(
    @Arg('ids', () => [String], { nullable: true, description: 'Ids of the events; default: all.' })
    ids: string[] | null,
    @Ctx() context: AccountsContext,
  ): Promise<ReplayResult> {
    requireRole(context.viewer, 'ADMIN');
    const replayed = await replayEvents(context, { ...(ids != null && { ids }), withFailed: true });
    return { replayed, remaining: await remainingEvents(context.database) };
  }

  @Mutation(() => ReplayResult, {
    description: 'Reconciles payments with the payment processor now. Requires the role ADMIN. Error UNAVAILABLE.',
  })
  async adminReconcilePayments(@Ctx() context: AccountsContext): Promise<ReplayResult> {
    requireRole(context.viewer, 'ADMIN');
    const replayed = await reconcile(context);
    return { replayed, remaining: await remainingEvents(context.database) };
  }

  @Mutation(() => ReplayResult, {
    description:
      'Links a customer record of the payment processor to a user, in addition to existing links. Parked events of the record are processed. Requires the role ADMIN. Errors BAD_REQUEST, NOT_FOUND for an unknown user or record, CONFLICT if it belongs to another user, UNAVAILABLE.',
  })
  async adminLinkCustomer(
    @Args(() => UserKeyArguments) key: UserKeyArguments,
    @Arg('customerId', () => String, { description: 'Id of the customer record at the payment processor.' })
    customerId: string,
    @Ctx() context: AccountsContext,
  ): Promise<ReplayResult> {
    requireRole(context.viewer, 'ADMIN');
    const { id: userId } = await userByKey(context.database, userKeyOf(key));
    await linkCustomer(context, { userId, customerId });
    logLink(context, { userId, customerId }, 'an administrator linked a customer record');
    const replayed = await replayEvents(context, { waitsFor: customerId });
    return { replayed, remaining: await remainingEvents(context.database) };
  }

  @Mutation(() => CustomerUnlinking, {
    description:
      'Unlinks a customer record of the payment processor from a user. Processed events stay in effect; later events are parked until the record is linked again. Safe to repeat. Requires the role ADMIN. Errors BAD_REQUEST, NOT_FOUND for an unknown user.',
  })
  async adminUnlinkCustomer(
    @Args(() => UserKeyArguments) key: UserKeyArguments,
    @Arg('customerId', () => String, { description: 'Id of the customer record at the payment processor.' })
    customerId: string,
    @Ctx() context: AccountsContext,
  ): Promise<CustomerUnlinking> {
    requireRole(context.viewer, 'ADMIN');
    const { id: userId } = await userByKey(context.database, userKeyOf(key));
    const hasChanged = await unlinkCustomer(context, { userId, customerId });
    if (hasChanged) logLink(context, { userId, customerId }, 'an administrator unlinked a customer record');
    return { hasChanged };
  }
}

/** Logs the administrator. */
function logLink({ log, viewer, requestId }: AccountsContext, link: CustomerLink, what: string): void {
  const by = viewer.kind === 'user' ? `user ${viewer.userId}` : viewer.kind === 'service' ? viewer.name : viewer.kind;
  log.info({ requestId, by, ...link }, what);
}
