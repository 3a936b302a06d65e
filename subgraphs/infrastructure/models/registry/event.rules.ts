import { badRequest } from '../../../../kernel/errors.js';
import { NO_PROJECT } from '../model/model.rules.js';

/** Something in the registry that is worth a look. */
export interface Reference {
  /** Of the repository. */
  readonly name: string;
  /** A tag or a digest. */
  readonly reference: string;
}

/** Source: OCI distribution specification, Pulling manifests */
const NAME = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;
const MAX_NAME_LENGTH = 255;

/** What events tell of beside manifests. */
const MANIFEST = /manifest|index/;

/** Whether a repository can have this name. */
export function isName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= MAX_NAME_LENGTH && NAME.test(name);
}

/** Whether a project can have this name, that for repositories without one among them. */
export function isProject(project: string): boolean {
  return project === NO_PROJECT || (isName(project) && !project.includes('/'));
}

/** Whether this can be a tag. */
export function isTag(tag: unknown): tag is string {
  return typeof tag === 'string' && TAG.test(tag);
}

/** Whether this is a digest that can be verified. */
export function isVerifiableDigest(digest: unknown): digest is string {
  return typeof digest === 'string' && DIGEST.test(digest);
}

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
