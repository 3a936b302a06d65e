import { badRequest } from '../../../../kernel/errors.js';
import { isName, isTag, isVerifiableDigest } from '../model/name.rules.js';

/** A tag or digest of a repository. */
export interface Reference {
  /** Name of the repository. */
  readonly name: string;
  /** A tag or a digest. */
  readonly reference: string;
}

/** Media types of manifests; events about blobs are ignored. */
const MANIFEST = /manifest|index/;

/**
 * The distinct references in a notification; the index then reads their state from the registry. Other events are ignored,
 * because a registry repeats a refused envelope.
 * Source: CNCF Distribution, Notifications. @throws BAD_REQUEST for an invalid envelope
 */
export function readEvents(payload: string): Reference[] {
  const envelope = parse(payload);
  if (!Array.isArray(envelope.events)) throw badRequest('The body must be a JSON object with an array `events`.');
  const references = envelope.events.flatMap((event: unknown) => referencesOf(objectOf(event)));
  return [...new Map(references.map((each) => [`${each.name} ${each.reference}`, each])).values()];
}

function referencesOf({ action, target }: Record<string, unknown>): Reference[] {
  const { repository: name, tag, digest, mediaType } = objectOf(target);
  if ((action !== 'push' && action !== 'delete') || !isName(name)) return [];
  if (action === 'push' && !isTag(tag) && !MANIFEST.test(String(mediaType))) return [];
  return [isTag(tag) ? tag : [], isVerifiableDigest(digest) ? digest : []]
    .flat()
    .map((reference) => ({ name, reference }));
}

function parse(payload: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(payload));
  } catch {
    throw badRequest('The body is not valid JSON.');
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
