import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import { findPeerOfViewer } from './viewer-peers.actions.js';

/** Resolves a peer by key; null for the peers of others, as for an unknown id. */
export const peerReference: ReferenceResolver = async ({ id }, context) =>
  typeof id === 'number' ? ((await findPeerOfViewer(context, id)) ?? null) : null;
