import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';

/** The part of a Content-Security-Policy that a page may loosen; a source list by its directive. */
type Sources = Readonly<Record<string, string>>;

/** Nothing from elsewhere, no inline script, no eval, no framing by others. */
const STRICT: Sources = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The headers of a page: a strict Content-Security-Policy with these directives in place of its own. */
export function pageHeaders(loosened: Sources = {}): Readonly<Record<string, string>> {
  const policy = Object.entries({ ...STRICT, ...loosened }).map(([directive, sources]) => `${directive} ${sources}`);
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    // Asked again each time, answered 304 while it is the same: a new version is seen at once.
    'cache-control': 'no-cache',
  };
}

interface Folder {
  /** Where the files are in the URL, with both slashes. */
  readonly prefix: string;
  /** Its name below dist/static, where the build leaves each file with its compressed forms. */
  readonly name: 'dashboard' | 'explorer' | 'logos' | 'reference';
  readonly headers: Readonly<Record<string, string>>;
}

/** Serves the files of a folder; each has an ETag. What is not there is refused as anywhere else. */
export async function addFolder(app: FastifyInstance, { prefix, name, headers }: Folder): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(packageRoot(), 'dist/static', name),
    prefix,
    index: false,
    preCompressed: true,
    decorateReply: false,
    cacheControl: false,
    dotfiles: 'ignore',
    setHeaders: (reply) => void reply.headers(headers),
  });
}
