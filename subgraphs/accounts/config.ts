import type { Config } from '../../kernel/config/config.js';
import { z } from 'zod';
import {
  group,
  HTTP,
  isUrlOf,
  listOf,
  matching,
  oneOf,
  readAll,
  settings,
  text,
  urlOf,
  valueOf,
  wholeNumber,
  type Environment,
} from '../../kernel/config/environment.js';
import { isLoopback } from '../../kernel/http/client-network.js';

const contract = matching(/^0x[0-9a-fA-F]{40}$/, 'the address of a contract: 0x and 40 hex digits').optional();

/** How payments are processed. */
const PAYMENTS = settings(
  {
    nodeEnv: ['NODE_ENV', text.optional()],
    chosen: ['PAYPROC', oneOf('sandbox', 'stripe', 'off').optional()],
    /** The processor's name in responses. */
    label: ['PAYPROC_LABEL', matching(/^[a-z]{1,20}$/, '1 to 20 lower-case letters').default('payproc')],
    secretKey: ['PAYPROC_SECRET_KEY', text.optional()],
    /** Each of them is accepted as the signature of a webhook, so that one can be rotated. */
    webhookSecrets: ['PAYPROC_WEBHOOK_SECRET', listOf(text)],
    apiUrl: ['PAYPROC_API_URL', urlOf(...HTTP).optional()],
  },
  ({ chosen, secretKey, webhookSecrets }) => ({
    PAYPROC:
      chosen === 'stripe' &&
      (secretKey === undefined || webhookSecrets.length === 0) &&
      'is "stripe": set PAYPROC_SECRET_KEY and PAYPROC_WEBHOOK_SECRET too.',
  }),
).transform(({ chosen, nodeEnv, ...rest }) => ({
  ...rest,
  processor: chosen ?? (nodeEnv === 'production' ? ('off' as const) : ('sandbox' as const)),
  /** Whether `PAYPROC` is set. */
  isChosen: chosen !== undefined,
}));

/** Settings of crypto deposits; without a key there are no addresses. */
const DEPOSITS = settings({
  /** BIP-32 extended public key that USDC and USDT addresses are derived from. */
  evmXpub: [
    'DEPOSIT_EVM_XPUB',
    matching(/^xpub[1-9A-HJ-NP-Za-km-z]{100,112}$/, 'a BIP-32 extended public key: xpub…').optional(),
  ],
  evmRpcUrl: ['EVM_RPC_URL', urlOf(...HTTP).optional()],
  usdcContract: ['USDC_CONTRACT', contract],
  usdtContract: ['USDT_CONTRACT', contract],
  /** Blocks on top of a payment before it is credited. */
  confirmations: ['DEPOSIT_CONFIRMATIONS', wholeNumber(1, 9_999).default(12)],
  /** Public key that TAO addresses are derived from. */
  taoPublicKey: [
    'DEPOSIT_TAO_PUBLIC_KEY',
    matching(/^0x[0-9a-fA-F]{64}$/, 'an sr25519 public key: 0x and 64 hex digits').optional(),
  ],
  substrateRpcUrl: ['SUBSTRATE_RPC_URL', urlOf(...HTTP).optional()],
});

// Without TLS, anybody on the network could impersonate an issuer.
const issuer = urlOf(...HTTP).refine(
  (url) => !isUrlOf(['http:'], url) || isLoopback(new URL(url).hostname),
  'must start with https://; http:// is for an issuer on this machine only.',
);

const scopes = matching(/^openid(?: [!#-[\]-~]+)*$/, 'openid, and further scopes behind spaces');

/** Social sign-in providers by name in lower case: each name that has an issuer. */
const OIDC = z.transform((env: unknown, { issues }) => {
  const issuers = Object.keys(env as Environment).filter((variable) => valueOf(env as Environment, variable));
  const names = issuers.flatMap((variable) => /^OIDC_([A-Z0-9]+)_ISSUER(?:_FILE)?$/.exec(variable)?.[1] ?? []);
  const providers = [...new Set(names)].map((name) => [name.toLowerCase(), providerOf(`OIDC_${name}`)] as const);
  return new Map(Object.entries(readAll(Object.fromEntries(providers), env, issues, 'must be set, as the issuer is.')));
});

const providerOf = (name: string) =>
  settings({
    issuer: [`${name}_ISSUER`, issuer],
    clientId: [`${name}_CLIENT_ID`, text],
    clientSecret: [`${name}_CLIENT_SECRET`, text.optional()],
    scope: [`${name}_SCOPE`, scopes.optional()],
  }).transform(({ scope, ...provider }) => ({ ...provider, scope: scope ?? defaultScope(provider.issuer) }));

/** Apple sends a name or an e-mail address by a form of another site only, which the callback does not take. */
function defaultScope(of: string): string {
  return new URL(of).hostname === 'appleid.apple.com' ? 'openid' : 'openid email profile';
}

const MAIL = settings({
  /** `smtp://user:password@host:port` or `smtps://…` */
  url: ['SMTP_URL', urlOf('smtp:', 'smtps:').optional()],
  from: ['SMTP_FROM', text.default('Archipelago <no-reply@localhost>')],
}).transform(({ url, from }) => (url === undefined ? undefined : { url, from }));

const REST = settings({
  /** URLs that a social sign-in may return to, besides those below `publicUrl`; a trailing `*` matches any rest. */
  callbackUrls: ['CALLBACK_URLS', listOf(text)],
  /** Sources of the TAO price: JSON over HTTP. Empty: an administrator records the price. */
  taoPriceUrls: ['TAO_PRICE_URLS', listOf(urlOf(...HTTP))],
  /** Whether webhooks may be sent to this machine, for tests: users could reach its local services. */
  webhooksToLoopback: [
    'WEBHOOKS_TO_LOOPBACK',
    oneOf('0', '1')
      .default('0')
      .transform((word) => word === '1'),
  ],
});

/** The settings of accounts. */
export const accountsConfig = group({ payments: PAYMENTS, deposits: DEPOSITS, oidc: OIDC, mail: MAIL }).and(REST);

/** Refuses to sell credits for sandbox money by default on a platform that other machines can reach. */
export function findPaymentsFault(
  { payments }: AccountsConfig,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): string | undefined {
  if (payments.isChosen || publicUrl === undefined || isLoopback(new URL(publicUrl).hostname)) return undefined;
  return 'PUBLIC_URL is not on loopback: set PAYPROC to sandbox, stripe or off.';
}

/** Warns when other machines can reach a platform with sandbox payments. */
export function findPaymentsWarning({ payments }: AccountsConfig, host: string): string | undefined {
  if (payments.isChosen || payments.processor !== 'sandbox' || isLoopback(host)) return undefined;
  return `HOST is ${host} and payments use the sandbox: anyone who reaches the port can pay with test money. Set PAYPROC.`;
}

export type AccountsConfig = z.infer<typeof accountsConfig>;
export type PaymentConfig = AccountsConfig['payments'];
export type DepositConfig = AccountsConfig['deposits'];
export type MailConfig = NonNullable<AccountsConfig['mail']>;
export type OidcConfig = z.infer<ReturnType<typeof providerOf>>;
