import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';

type Headers = Readonly<Record<string, string>>;

/** Source lists of a Content-Security-Policy by directive. */
type Sources = Readonly<Record<string, string>>;

/** No other origins, no inline scripts, no eval, no framing. */
const STRICT_POLICY: Sources = {
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

/** Returns the headers of a page: a strict Content-Security-Policy with these directives replaced. */
export function pageHeaders(overrides: Sources = {}): Headers {
  const policy = Object.entries({ ...STRICT_POLICY, ...overrides }).map(
    ([directive, sources]) => `${directive} ${sources}`,
  );
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    // Browsers revalidate each time, so a new version shows at once.
    'cache-control': 'no-cache',
  };
}

/** Whether a request accepts HTML by name; `*` alone does not count. */
export function acceptsHtml({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /(?:^|,)\s*text\/html/i.test(headers.accept ?? '');
}

interface Folder {
  /** URL prefix of the files, with a slash at both ends. */
  readonly prefix: string;
  /** Folder in dist/static, where the build writes each file and its compressed variants. */
  readonly name: 'dashboard' | 'dashboard/assets' | 'explorer' | 'logos' | 'reference';
  /** Headers of a file by its path on the disk. */
  readonly headersOf: (path: string) => Headers;
}

/** Serves the files of a folder with ETags. A missing file is 404 like any other path. */
export async function addStaticFolder(app: FastifyInstance, { prefix, name, headersOf }: Folder): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(packageRoot(), 'dist/static', name),
    prefix,
    index: false,
    preCompressed: true,
    decorateReply: false,
    cacheControl: false,
    dotfiles: 'ignore',
    setHeaders: (reply, path) => void reply.headers(headersOf(path)),
  });
}
