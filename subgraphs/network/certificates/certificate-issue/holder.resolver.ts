import { Arg, Args, ArgsType, Ctx, Directive, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
import { checkHostKey } from '../../../../kernel/security/host-key.js';
import { badRequest, unavailable } from '../../../../kernel/errors.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import { requirePlatform } from '../../../../kernel/security/viewer.js';
import { checkLabel } from '../../graph/group/group.rules.js';
import type { NetworkContext } from '../../services.js';
import { readHolder, readValidity } from './holder.actions.js';
import { CertificateValidity, HolderCertificate } from './holder.js';
import { certifyHolder, endHolder } from './issue.actions.js';

@ArgsType()
class CertifyArgs {
  @Field(() => Int, { description: 'The owner of the private network, which is created if it does not exist.' })
  userId!: number;

  @Field(() => String, {
    description: 'A uuid that identifies the certificate. Repeating it returns the same certificate.',
  })
  reference!: string;

  @Field(() => String, { description: 'The initial label of the peer.' })
  label!: string;

  @Field(() => String, { description: 'x25519, 64 hex digits.' })
  publicKey!: string;

  @Field(() => Int, {
    description:
      'Number of the holder’s key; each new key has a higher one. A lower number than the current one changes nothing.',
  })
  keyNumber!: number;

  @Field(() => Boolean, { description: 'Whether to issue a new certificate even if the key already has one.' })
  renews!: boolean;
}

function referenceOf(text: string): string {
  const reference = uuidOf(text);
  if (reference === null) throw badRequest('`reference` must be a uuid.');
  return reference;
}

@Resolver()
export class CertificateIssueResolver {
  @Directive('@inaccessible')
  @Mutation(() => Boolean, {
    description:
      'Issues a certificate for a key, with a peer of its own that keeps its address. For other parts of the platform. Errors: CONFLICT when its peer was deleted, when another peer uses the key and when no address is left, RATE_LIMITED for too many a day, UNAVAILABLE when the networks run on another engine.',
  })
  async certifyHolder(
    @Args(() => CertifyArgs) { reference, label, publicKey, ...rest }: CertifyArgs,
    @Ctx() context: NetworkContext,
  ): Promise<boolean> {
    requirePlatform(context.viewer);
    checkLabel(label);
    if (context.services.netbird)
      throw unavailable(
        'Certificates are available only with the Nebula engine; this platform uses another engine for its private networks.',
      );
    const request = { ...rest, reference: referenceOf(reference), label, publicKey: checkHostKey(publicKey) };
    await certifyHolder(context, request);
    return true;
  }

  @Directive('@inaccessible')
  @Query(() => [HolderCertificate], {
    description: 'The certificate of a reference, for other parts of the platform. Empty after its peer is deleted.',
  })
  async holderCertificates(
    @Arg('userId', () => Int, { description: 'The owner of the private network.' }) userId: number,
    @Arg('reference', () => String, { description: 'The reference of the certificate.' }) reference: string,
    @Arg('keyFile', () => String, { description: 'Path of the holder’s private key.' }) keyFile: string,
    @Ctx() context: NetworkContext,
  ): Promise<HolderCertificate[]> {
    requirePlatform(context.viewer);
    const found = await readHolder(context, { userId, reference: referenceOf(reference), keyFile });
    return found ? [found] : [];
  }

  @Directive('@inaccessible')
  @Query(() => [CertificateValidity], {
    description: 'The validity of certificates, for other parts of the platform. Deleted certificates are omitted.',
  })
  async holderTerms(
    @Arg('references', () => [String], { description: 'The references of the certificates, at most 500.' })
    references: string[],
    @Ctx() { viewer, database, now }: NetworkContext,
  ): Promise<CertificateValidity[]> {
    requirePlatform(viewer);
    if (references.length > 500) throw badRequest('`references` may contain at most 500 entries.');
    return readValidity(database, references.map(referenceOf), now());
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, {
    description:
      'Deletes the peer of a certificate, for other parts of the platform. All other peers refuse the certificate from then on. Safe to repeat.',
  })
  async endHolder(
    @Arg('userId', () => Int, { description: 'The owner of the private network.' }) userId: number,
    @Arg('reference', () => String, { description: 'The reference of the certificate.' }) reference: string,
    @Ctx() { viewer, database, now }: NetworkContext,
  ): Promise<boolean> {
    requirePlatform(viewer);
    await endHolder(database, { userId, reference: referenceOf(reference), now: now() });
    return true;
  }
}
