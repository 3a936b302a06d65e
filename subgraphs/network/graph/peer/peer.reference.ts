import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import { findPeerOfViewer } from './viewer-peers.actions.js';

/** Resolves a peer by key; null if it does not exist or belongs to another user. */
export const peerReference: ReferenceResolver = async ({ id }, context) =>
  typeof id === 'number' ? ((await findPeerOfViewer(context, id)) ?? null) : null;
