import {
  ConfigError,
  HTTP,
  read,
  readList,
  readMatching,
  readOneOf,
  readUrl,
  type Environment,
} from './environment.js';
import { isLoopback } from '../http/client-network.js';

/** How payments are processed. Source: operating contract, Environment */
export interface PaymentConfig {
  readonly processor: 'sandbox' | 'stripe' | 'off';
  /** Whether `PAYPROC` is set. */
  readonly isChosen: boolean;
  /** The word that answers use for the processor. */
  readonly label: string;
  readonly secretKey: string | undefined;
  /** Any of them signs a webhook, so that one can be rotated. */
  readonly webhookSecrets: readonly string[];
  readonly apiUrl: string | undefined;
}

export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

export interface MailConfig {
  /** `smtp://user:password@host:port` or `smtps://…` */
  readonly url: string;
  readonly from: string;
}

/** Where crypto deposits go and how they are seen; without a key there are no such addresses. */
export interface DepositConfig {
  /** BIP-32 extended public key that USDC and USDT addresses are derived from. */
  readonly evmXpub: string | undefined;
  readonly evmRpcUrl: string | undefined;
  readonly usdcContract: string | undefined;
  readonly usdtContract: string | undefined;
  /** Blocks on top of a payment before it counts. */
  readonly confirmations: number;
  /** sr25519 public key, `0x` and 64 hex digits, that TAO addresses are derived from. */
  readonly taoPublicKey: string | undefined;
  readonly substrateRpcUrl: string | undefined;
}

/** @throws ConfigError */
export function readPayments(env: Environment): PaymentConfig {
  const isProduction = env.NODE_ENV === 'production';
  const chosen = readOneOf(env, 'PAYPROC', ['sandbox', 'stripe', 'off']) as PaymentConfig['processor'] | undefined;
  const processor = chosen ?? (isProduction ? 'off' : 'sandbox');
  const secretKey = read(env, 'PAYPROC_SECRET_KEY');
  const webhookSecrets = readList(env, 'PAYPROC_WEBHOOK_SECRET');
  if (processor === 'stripe' && (secretKey === undefined || webhookSecrets.length === 0)) {
    throw new ConfigError('PAYPROC is "stripe": set PAYPROC_SECRET_KEY and PAYPROC_WEBHOOK_SECRET too.');
  }
  const label = read(env, 'PAYPROC_LABEL') ?? 'payproc';
  if (!/^[a-z]{1,20}$/.test(label)) throw new ConfigError('PAYPROC_LABEL must be 1 to 20 lower-case letters.');
  const apiUrl = readUrl(env, 'PAYPROC_API_URL', HTTP);
  return { processor, isChosen: chosen !== undefined, label, secretKey, webhookSecrets, apiUrl };
}

/** Refuses to sell for play money by default where others than this machine are meant to come. @throws ConfigError */
export function checkPayments({ isChosen }: PaymentConfig, publicUrl: string): void {
  if (isChosen || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(publicUrl).hostname)) return;
  throw new ConfigError('PUBLIC_URL is not on loopback: set PAYPROC to sandbox, stripe or off.');
}

/** @throws ConfigError */
export function readOidc(env: Environment): Map<string, OidcConfig> {
  const providers = new Map<string, OidcConfig>();
  for (const variable of Object.keys(env)) {
    const name = /^OIDC_([A-Z0-9]+)_ISSUER$/.exec(variable)?.[1];
    const issuer = name && readIssuer(env, variable);
    if (!name || !issuer) continue;
    const clientId = read(env, `OIDC_${name}_CLIENT_ID`);
    if (clientId === undefined) throw new ConfigError(`${variable} is set: set OIDC_${name}_CLIENT_ID too.`);
    providers.set(name.toLowerCase(), { issuer, clientId, clientSecret: read(env, `OIDC_${name}_CLIENT_SECRET`) });
  }
  return providers;
}

/** Whoever stands between may answer for an issuer without TLS, with keys of their own. */
function readIssuer(env: Environment, variable: string): string | undefined {
  const issuer = readUrl(env, variable, HTTP);
  if (issuer === undefined) return undefined;
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'https:' || isLoopback(hostname)) return issuer;
  throw new ConfigError(`${variable} must start with https://; http:// is for an issuer on this machine only.`);
}

/** @throws ConfigError */
export function readMail(env: Environment): MailConfig | undefined {
  const url = readUrl(env, 'SMTP_URL', ['smtp:', 'smtps:']);
  if (url === undefined) return undefined;
  return { url, from: read(env, 'SMTP_FROM') ?? 'Archipelago <no-reply@localhost>' };
}

/** @throws ConfigError */
export function readDeposits(env: Environment): DepositConfig {
  const confirmations = read(env, 'DEPOSIT_CONFIRMATIONS') ?? '12';
  if (!/^[1-9]\d{0,3}$/.test(confirmations)) throw new ConfigError('DEPOSIT_CONFIRMATIONS must be 1 to 9999.');
  return {
    evmXpub: readMatching(env, 'DEPOSIT_EVM_XPUB', /^xpub[1-9A-HJ-NP-Za-km-z]{100,112}$/),
    evmRpcUrl: readUrl(env, 'EVM_RPC_URL', HTTP),
    usdcContract: readMatching(env, 'USDC_CONTRACT', /^0x[0-9a-fA-F]{40}$/),
    usdtContract: readMatching(env, 'USDT_CONTRACT', /^0x[0-9a-fA-F]{40}$/),
    confirmations: Number(confirmations),
    taoPublicKey: readMatching(env, 'DEPOSIT_TAO_PUBLIC_KEY', /^0x[0-9a-fA-F]{64}$/),
    substrateRpcUrl: readUrl(env, 'SUBSTRATE_RPC_URL', HTTP),
  };
}
