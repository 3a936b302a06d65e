import { exportJWK, generateKeyPair } from 'jose';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Configuration } from 'oidc-provider';

const CLIENT = { id: 'archipelago', secret: 'the-client-secret-of-the-tests' };

/** Allowed callback URLs in tests. */
export const CALLBACK_URLS =
  'hippiusapp://auth/callback*, https://console.example/auth/callback*, https://exact.example/done';

/** Test issuers: one that works, one with the rules of Apple, one that signs with an unpublished key, one that never responds, one that is unreachable. */
export interface Issuers {
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts three OpenID Connect issuers on loopback and a server that accepts connections but never responds. */
export async function startIssuers(): Promise<Issuers> {
  const silent = createServer(() => undefined);
  const [working, apple, forging] = [createServer(), createServer(), createServer()];
  const [silentUrl, url] = [await listen(silent), await listen(working)];
  const [appleUrl, forgingUrl] = [await listen(apple), await listen(forging)];
  await serveIssuer(working, url);
  const strict = await serveIssuer(apple, appleUrl);
  strict.use(async (context, next) => {
    if (context.path === '/auth' && isRefusedByApple(context.query)) context.throw(400, 'invalid_request');
    await next();
  });
  const forger = await serveIssuer(forging, forgingUrl);
  const { publicKey } = await generateKeyPair('RS256', { extractable: true });
  const published = await exportJWK(publicKey);
  forger.use(async (context, next) => {
    await next();
    if (context.path !== '/jwks') return;
    const { keys } = context.body as { keys: { kid: string }[] };
    context.body = { keys: keys.map(({ kid }) => ({ ...published, kid, use: 'sig', alg: 'RS256' })) };
  });
  const env = {
    ...variables('TEST', url),
    ...variables('APPLE', appleUrl),
    OIDC_APPLE_SCOPE: 'openid',
    ...variables('FORGED', forgingUrl),
    ...variables('SILENT', silentUrl),
    ...variables('GONE', 'http://127.0.0.1:9'),
    CALLBACK_URLS,
  };
  return { env, stop: async () => void (await Promise.all([silent, working, apple, forging].map(close))) };
}

/** Apple sends a name or an e-mail address in a form only, and knows no other scopes. Source: Sign in with Apple, "Request an authorization" */
function isRefusedByApple({ scope, response_mode: mode }: NodeJS.Dict<string | string[]>): boolean {
  const scopes = scope?.toString().split(' ') ?? [];
  return scopes.some((one) => one !== 'openid' && !(mode === 'form_post' && ['email', 'name'].includes(one)));
}

async function serveIssuer(server: Server, url: string): Promise<Provider> {
  const provider = new Provider(url, await configuration());
  (provider.Client.prototype as { redirectUriAllowed: (uri: string) => boolean }).redirectUriAllowed = (uri) =>
    /\/accounts\/(?:test|apple|forged)\/callback\/$/.test(uri);
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) {
      await next();
      return;
    }
    // A browser follows redirects by itself: its answer is a cookie.
    const given = (name: string) => context.query[name]?.toString() ?? context.cookies.get(name, { signed: false });
    const [account, error] = [given('account'), given('error')];
    const result = error ? { error, error_description: 'The user said no.' } : { login: { accountId: account ?? '' } };
    await provider.interactionFinished(context.req, context.res, result, { mergeWithLastSubmission: false });
    context.respond = false;
  });
  let serve: ReturnType<Provider['callback']> | undefined;
  // Created at the first request, so that it has all middleware added before.
  server.on('request', (request, response) => void (serve ??= provider.callback())(request, response));
  return provider;
}

function variables(name: string, issuer: string): Record<string, string> {
  return {
    [`OIDC_${name}_ISSUER`]: issuer,
    [`OIDC_${name}_CLIENT_ID`]: CLIENT.id,
    [`OIDC_${name}_CLIENT_SECRET`]: CLIENT.secret,
  };
}

/** Every name is an account. Its email address is verified unless the name says otherwise; as a text for some, as Apple does. */
async function configuration(): Promise<Configuration> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: ['http://localhost/accounts/test/callback/'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['the-cookie-key-of-the-tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    clientAuthMethods: ['client_secret_basic'],
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        email: `${accountId}@mail.example`,
        email_verified: accountId.startsWith('text') ? 'true' : !accountId.startsWith('unverified'),
      }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
