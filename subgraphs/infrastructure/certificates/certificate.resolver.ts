import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { checkHostKey } from '../../../kernel/security/host-key.js';
import { requireUser } from '../../../kernel/security/viewer.js';
import { fetchBalance } from '../calls.js';
import type { InfrastructureContext } from '../services.js';
import { listCertificates, readCertificate, renewCertificate, requestCertificate } from './certificate.actions.js';
import { checkCredits } from './certificate.rules.js';
import { OverlayCertificate, OverlayCertificateRecord } from './certificate.js';
import { revokeCertificate } from './revoke.actions.js';

const KEY_DESCRIPTION =
  'Your own x25519 public key: PEM as written by `nebula-cert keygen`, or 32 bytes in base64 or hex. The platform then never has your private key.';

@Resolver()
export class OverlayCertificateResolver {
  @Query(() => OverlayCertificate, {
    description: 'Your certificate. Errors: NOT_FOUND when you have none or it has expired, UNAVAILABLE.',
  })
  overlayCertificate(@Ctx() context: InfrastructureContext): Promise<OverlayCertificate> {
    return readCertificate(context, requireUser(context.viewer).userId);
  }

  @Query(() => [OverlayCertificateRecord], {
    description: 'Your last 200 certificates, including revoked ones, newest first.',
  })
  overlayCertificates(@Ctx() { viewer, database, now }: InfrastructureContext): Promise<OverlayCertificateRecord[]> {
    return listCertificates(database, requireUser(viewer).userId, now());
  }

  @Mutation(() => OverlayCertificate, {
    description:
      'Returns your certificate. Issues one if you have none, and renews one that has expired. Requires a balance of 10 credits, but spends none. Provisions your private network if you have none, because the certificate is signed by its authority. Errors: BAD_REQUEST for the public key, PAYMENT_REQUIRED, CONFLICT when your certificate has another key, RATE_LIMITED, UNAVAILABLE.',
  })
  async requestOverlayCertificate(
    @Arg('publicKey', () => String, { nullable: true, description: KEY_DESCRIPTION })
    publicKey: string | null | undefined,
    @Ctx() context: InfrastructureContext,
  ): Promise<OverlayCertificate> {
    const user = requireUser(context.viewer);
    const key = publicKey == null ? undefined : checkHostKey(publicKey);
    checkCredits(await fetchBalance(context, user));
    return requestCertificate(context, user.userId, key);
  }

  @Mutation(() => OverlayCertificate, {
    description:
      'Issues a new certificate with the same id and address. With a new public key, certificates for the previous key are revoked. Errors: BAD_REQUEST for the public key, NOT_FOUND when there is nothing to renew, CONFLICT, UNAVAILABLE.',
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
      'Revokes a certificate: every machine in your private network rejects it, and its address is released. Repeating it has no further effect. Error NOT_FOUND.',
  })
  revokeOverlayCertificate(
    @Arg('certificateId', () => Int, { description: 'Id of the certificate.' }) id: number,
    @Ctx() context: InfrastructureContext,
  ): Promise<OverlayCertificateRecord> {
    return revokeCertificate(context, requireUser(context.viewer).userId, id);
  }
}
