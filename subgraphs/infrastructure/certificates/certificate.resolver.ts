import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { checkHostKey } from '../../../kernel/security/host-key.js';
import { requireUser } from '../../../kernel/viewer.js';
import { askBalance } from '../calls.js';
import type { InfrastructureContext } from '../services.js';
import { listCertificates, readCertificate, renewCertificate, requestCertificate } from './certificate.actions.js';
import { checkCredits } from './certificate.rules.js';
import { OverlayCertificate, OverlayCertificateRecord } from './certificate.js';
import { revokeCertificate } from './revoke.actions.js';

const KEY_DESCRIPTION =
  'x25519, made by you: PEM as `nebula-cert keygen` writes it, or 32 bytes in base64 or hex. The private key then never leaves you.';

@Resolver()
export class OverlayCertificateResolver {
  @Query(() => OverlayCertificate, {
    description: 'Your certificate. Errors: NOT_FOUND when there is none or it has ended, UNAVAILABLE.',
  })
  overlayCertificate(@Ctx() context: InfrastructureContext): Promise<OverlayCertificate> {
    return readCertificate(context, requireUser(context.viewer).userId);
  }

  @Query(() => [OverlayCertificateRecord], {
    description: 'Your certificates, newest first, with those that were revoked: the last 200.',
  })
  overlayCertificates(@Ctx() { viewer, database, now }: InfrastructureContext): Promise<OverlayCertificateRecord[]> {
    return listCertificates(database, requireUser(viewer).userId, now());
  }

  @Mutation(() => OverlayCertificate, {
    description:
      'Your certificate, made where there is none and renewed where it has ended. Needs 10 credits, of which none are spent. Where you have no private network yet it is provisioned: a certificate is of its authority and an address in it. Errors: BAD_REQUEST for the public key, PAYMENT_REQUIRED, CONFLICT for another key than that of your certificate, RATE_LIMITED, UNAVAILABLE.',
  })
  async requestOverlayCertificate(
    @Arg('publicKey', () => String, { nullable: true, description: KEY_DESCRIPTION })
    publicKey: string | null | undefined,
    @Ctx() context: InfrastructureContext,
  ): Promise<OverlayCertificate> {
    const user = requireUser(context.viewer);
    const key = publicKey == null ? undefined : checkHostKey(publicKey);
    checkCredits(await askBalance(context, user));
    return requestCertificate(context, user.userId, key);
  }

  @Mutation(() => OverlayCertificate, {
    description:
      'Another certificate under the same id and address. With another public key than before, what was issued for the one before is refused from then on. Errors: BAD_REQUEST for the public key, NOT_FOUND when there is nothing to renew, CONFLICT, UNAVAILABLE.',
  })
  async renewOverlayCertificate(
    @Arg('publicKey', () => String, { nullable: true, description: KEY_DESCRIPTION })
    publicKey: string | null | undefined,
    @Ctx() context: InfrastructureContext,
  ): Promise<OverlayCertificate> {
    const { userId } = requireUser(context.viewer);
    return renewCertificate(context, userId, publicKey == null ? undefined : checkHostKey(publicKey));
  }

  @Mutation(() => OverlayCertificateRecord, {
    description:
      'Revokes a certificate: every machine of your private network refuses it from then on, and its address is free again. Again is the same. Error NOT_FOUND.',
  })
  revokeOverlayCertificate(
    @Arg('certificateId', () => Int, { description: 'The certificate.' }) id: number,
    @Ctx() context: InfrastructureContext,
  ): Promise<OverlayCertificateRecord> {
    return revokeCertificate(context, requireUser(context.viewer).userId, id);
  }
}
