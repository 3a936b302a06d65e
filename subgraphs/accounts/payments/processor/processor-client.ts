import type { PaymentConfig } from '../../config.js';
import { unavailable } from '../../../../kernel/errors.js';
import type { Logger } from '../../../../kernel/telemetry/log.js';
import { CircuitBreaker } from './circuit-breaker.js';
import type { Processor } from './processor.js';
import { StripeProcessor } from './stripe-processor.js';

/** Timeout of a call in milliseconds. */
const TIMEOUT_MS = 8_000;

/** Connection to the sandbox in this process. */
export interface SandboxDependencies {
  readonly fetch: typeof fetch;
  readonly secretKey: string;
}

/** Settings of the client. */
export interface ProcessorClientSettings {
  readonly now: () => Date;
  readonly openSandbox: () => Promise<SandboxDependencies>;
  /** The current webhook secrets. */
  readonly webhookSecrets: () => Promise<readonly string[]>;
  readonly log: Logger;
}

/** Client of the payment processor, opened at first use. */
export class ProcessorClient {
  private readonly circuitBreaker = new CircuitBreaker();
  private opened: Promise<Processor> | undefined;

  constructor(private readonly config: PaymentConfig) {}

  /** @throws UNAVAILABLE if no processor is configured */
  async open(settings: ProcessorClientSettings): Promise<Processor> {
    if (this.config.processor === 'off') throw unavailable('Payments by card are not configured.');
    this.opened ??= this.openStripe(settings);
    try {
      return await this.opened;
    } catch (error) {
      this.opened = undefined;
      throw error;
    }
  }

  private async openStripe({ openSandbox, ...settings }: ProcessorClientSettings): Promise<Processor> {
    const { processor, apiUrl, secretKey = '' } = this.config;
    const sandbox = processor === 'sandbox' ? await openSandbox() : undefined;
    const reach = sandbox?.fetch ?? (apiUrl === undefined ? undefined : rebased(apiUrl));
    const { Stripe } = await import('stripe');
    const stripe = new Stripe(sandbox?.secretKey ?? secretKey, {
      timeout: TIMEOUT_MS,
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient: Stripe.createFetchHttpClient(reach),
    });
    return new StripeProcessor({ stripe, circuitBreaker: this.circuitBreaker, ...settings });
  }
}

/** A `fetch` that sends requests to another base URL. */
function rebased(base: string): typeof fetch {
  const root = base.replace(/\/+$/, '');
  return (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    return fetch(root + pathname + search, init);
  };
}
