import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import { certificateByFingerprint } from './peer-certificate.actions.js';

/** Resolves a certificate by key; null if it does not exist or belongs to another user. */
const certificateReference: ReferenceResolver = async ({ fingerprint }, context) =>
  typeof fingerprint === 'string' ? ((await certificateByFingerprint(context, fingerprint)) ?? null) : null;

/** Resolves a record by key; null unless the viewer is a user. Its fields contain no data of other users. */
const certificateRecordReference: ReferenceResolver = ({ reference }, { viewer }) => {
  const known = viewer.kind === 'user' && typeof reference === 'string' ? uuidOf(reference) : null;
  return known === null ? null : { reference: known };
};

/** The reference resolvers of certificates. */
export const CERTIFICATE_REFERENCES = {
  Certificate: certificateReference,
  OverlayCertificateRecord: certificateRecordReference,
} as const;
