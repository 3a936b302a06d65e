import { badRequest } from '../../../../kernel/errors.js';
import { isName, isTag, isVerifiableDigest } from '../model/name.rules.js';

/** Something in the registry that is worth a look. */
export interface Reference {
  /** Of the repository. */
  readonly name: string;
  /** A tag or a digest. */
  readonly reference: string;
}

/** What events tell of beside manifests. */
const MANIFEST = /manifest|index/;

/**
 * What the registry says has changed, each once. It is only told where to look: what is there decides. Events about anything
 * else are left out, as a registry sends an envelope that is refused again and again.
 * Source: CNCF Distribution, Notifications. @throws BAD_REQUEST for what is no envelope
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
