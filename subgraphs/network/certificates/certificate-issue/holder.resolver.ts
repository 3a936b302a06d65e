import { Arg, Args, ArgsType, Ctx, Directive, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
import { checkHostKey } from '../../../../kernel/security/host-key.js';
import { badRequest, unavailable } from '../../../../kernel/errors.js';
import { uuidOf } from '../../../../kernel/text.js';
import { requirePlatform } from '../../../../kernel/viewer.js';
import { checkLabel } from '../../graph/group/group.rules.js';
import type { NetworkContext } from '../../services.js';
import { readHolder, readTerms } from './holder.actions.js';
import { HolderCertificate, HolderTerm } from './holder.js';
import { certifyHolder, endHolder } from './issue.actions.js';

@ArgsType()
class CertifyArgs {
  @Field(() => Int, { description: 'Whose private network; it is made where there is none yet.' })
  userId!: number;

  @Field(() => String, { description: 'A uuid: the same again is the same certificate.' })
  reference!: string;

  @Field(() => String, { description: 'What the peer is called, at first.' })
  label!: string;

  @Field(() => String, { description: 'x25519, 64 hex digits.' })
  publicKey!: string;

  @Field(() => Int, { description: 'Which of the holder’s keys it is; one below that in use changes nothing.' })
  keyNumber!: number;

  @Field(() => Boolean, { description: 'Whether another certificate is wanted where there is one for the key.' })
  renews!: boolean;
}

function referenceOf(text: string): string {
  const reference = uuidOf(text);
  if (reference === null) throw badRequest('`reference` must be a uuid.');
  return reference;
}

@Resolver()
export class HolderResolver {
  @Directive('@inaccessible')
  @Mutation(() => Boolean, {
    description:
      'Has a certificate issued for a key, with a peer of its own that keeps its address, for other parts of the platform. Errors: CONFLICT once its peer is gone, for a key that another peer has and when no address is left, RATE_LIMITED for too many a day, UNAVAILABLE where another engine carries the networks.',
  })
  async certifyHolder(
    @Args(() => CertifyArgs) { reference, label, publicKey, ...rest }: CertifyArgs,
    @Ctx() context: NetworkContext,
  ): Promise<boolean> {
    requirePlatform(context.viewer);
    checkLabel(label);
    if (context.services.netbird)
      throw unavailable('Certificates are for Nebula, and another engine carries the private networks here.');
    const request = { ...rest, reference: referenceOf(reference), label, publicKey: checkHostKey(publicKey) };
    await certifyHolder(context, request);
    return true;
  }

  @Directive('@inaccessible')
  @Query(() => [HolderCertificate], {
    description: 'The certificate of a reference, for other parts of the platform; none once its peer is gone.',
  })
  async holderCertificates(
    @Arg('userId', () => Int, { description: 'Whose private network.' }) userId: number,
    @Arg('reference', () => String, { description: 'As it was issued for.' }) reference: string,
    @Arg('keyFile', () => String, { description: 'Where the holder keeps the private key.' }) keyFile: string,
    @Ctx() context: NetworkContext,
  ): Promise<HolderCertificate[]> {
    requirePlatform(context.viewer);
    const found = await readHolder(context, { userId, reference: referenceOf(reference), keyFile });
    return found ? [found] : [];
  }

  @Directive('@inaccessible')
  @Query(() => [HolderTerm], {
    description:
      'How long certificates are good for, for other parts of the platform; those that are gone are left out.',
  })
  async holderTerms(
    @Arg('references', () => [String], { description: 'As they were issued for, at most 500.' }) references: string[],
    @Ctx() { viewer, database, now }: NetworkContext,
  ): Promise<HolderTerm[]> {
    requirePlatform(viewer);
    if (references.length > 500) throw badRequest('`references` may name 500 at a time.');
    return readTerms(database, references.map(referenceOf), now());
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, {
    description:
      'Removes the peer of a certificate, for other parts of the platform: all others refuse the certificate from then on. Safe to repeat.',
  })
  async endHolder(
    @Arg('userId', () => Int, { description: 'Whose private network.' }) userId: number,
    @Arg('reference', () => String, { description: 'As it was issued for.' }) reference: string,
    @Ctx() { viewer, database, now }: NetworkContext,
  ): Promise<boolean> {
    requirePlatform(viewer);
    await endHolder(database, { userId, reference: referenceOf(reference), now: now() });
    return true;
  }
}
