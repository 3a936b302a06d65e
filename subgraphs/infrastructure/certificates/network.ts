import type { CallSubgraph, PlatformOperation } from '../../../kernel/subgraph/call-subgraph.js';
import { errorCode, unavailable } from '../../../kernel/errors.js';

/** A certificate as network returns it. */
export interface IssuedCertificate {
  readonly ip: string;
  readonly publicKey: string;
  readonly keyNumber: number;
  readonly certificate: string;
  readonly authorities: string;
  readonly configuration: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** Validity of a certificate. */
export interface CertificateTerm {
  readonly reference: string;
  readonly expiresAt: string;
  readonly isDue: boolean;
}

interface CertifyRequest extends Record<string, unknown> {
  readonly userId: number;
  readonly reference: string;
  readonly label: string;
  /** Hex. */
  readonly publicKey: string;
  readonly keyNumber: number;
  readonly renews: boolean;
}

/** Issues a certificate. Safe to repeat. Errors: CONFLICT, RATE_LIMITED. */
export const CERTIFY_HOLDER: PlatformOperation<CertifyRequest, boolean> = {
  subgraph: 'network',
  document: `mutation CertifyHolder($userId: Int!, $reference: String!, $label: String!, $publicKey: String!, $keyNumber: Int!, $renews: Boolean!) {
    certifyHolder(userId: $userId, reference: $reference, label: $label, publicKey: $publicKey, keyNumber: $keyNumber, renews: $renews)
  }`,
  read: ({ certifyHolder: answer }) => (answer === true ? true : undefined),
};

/** The current certificate; empty when its peer was deleted. */
export const HOLDER_CERTIFICATES: PlatformOperation<
  { readonly userId: number; readonly reference: string; readonly keyFile: string },
  readonly IssuedCertificate[]
> = {
  subgraph: 'network',
  document: `query HolderCertificates($userId: Int!, $reference: String!, $keyFile: String!) {
    holderCertificates(userId: $userId, reference: $reference, keyFile: $keyFile) {
      ip publicKey keyNumber certificate authorities configuration expiresAt
    }
  }`,
  read: ({ holderCertificates: answer }) => (Array.isArray(answer) ? (answer as IssuedCertificate[]) : undefined),
};

/** Validity of certificates. Deleted ones are left out. */
export const HOLDER_TERMS: PlatformOperation<{ readonly references: readonly string[] }, readonly CertificateTerm[]> = {
  subgraph: 'network',
  document:
    'query HolderTerms($references: [String!]!) { holderTerms(references: $references) { reference expiresAt isDue } }',
  read: ({ holderTerms: answer }) => (Array.isArray(answer) ? (answer as CertificateTerm[]) : undefined),
};

/** Revokes the certificate on all peers. Safe to repeat. */
export const END_HOLDER: PlatformOperation<{ readonly userId: number; readonly reference: string }, boolean> = {
  subgraph: 'network',
  document:
    'mutation EndHolder($userId: Int!, $reference: String!) { endHolder(userId: $userId, reference: $reference) }',
  read: ({ endHolder: answer }) => (answer === true ? true : undefined),
};

/** Seconds after which clients should retry. */
const RETRY_AFTER_SECONDS = 5;

/** Calls network. Failures other than refusals become UNAVAILABLE. @throws CONFLICT, RATE_LIMITED, UNAVAILABLE */
export async function callNetwork<Variables extends Record<string, unknown>, Answer>(
  { callSubgraph, requestId }: { readonly callSubgraph: CallSubgraph; readonly requestId: string },
  operation: PlatformOperation<Variables, Answer>,
  variables: Variables,
): Promise<Answer> {
  return callSubgraph(operation, variables, requestId).catch((error: unknown) => {
    if (isRefusal(error)) throw error;
    throw unavailable('The certificate authority does not answer; try again later.', {
      retryAfter: RETRY_AFTER_SECONDS,
    });
  });
}

/** Whether network refused the request, so that a retry cannot succeed. */
export function isRefusal(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'CONFLICT' || code === 'RATE_LIMITED';
}
