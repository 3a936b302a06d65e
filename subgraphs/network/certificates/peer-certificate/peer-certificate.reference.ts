import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import { uuidOf } from '../../../../kernel/text.js';
import { certificateByFingerprint } from './peer-certificate.actions.js';

/** Resolves a certificate by key; null for those of others, as for an unknown fingerprint. */
const certificateReference: ReferenceResolver = async ({ fingerprint }, context) =>
  typeof fingerprint === 'string' ? ((await certificateByFingerprint(context, fingerprint)) ?? null) : null;

/** Resolves a record by key; null for viewers who are no users. Its fields find nothing of other users. */
const certificateRecordReference: ReferenceResolver = ({ reference }, { viewer }) => {
  const known = viewer.kind === 'user' && typeof reference === 'string' ? uuidOf(reference) : null;
  return known === null ? null : { reference: known };
};

/** Resolves the entities that are certificates. */
export const CERTIFICATE_REFERENCES = {
  Certificate: certificateReference,
  OverlayCertificateRecord: certificateRecordReference,
} as const;
