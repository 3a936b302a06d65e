import { sandboxFetch } from '../../sandbox/sandbox.actions.js';
import { sandboxSecrets } from '../../sandbox/webhook/secret.actions.js';
import type { AccountsRuntime } from '../../services.js';
import type { Processor } from './processor.js';

/** The payment processor of this platform. @throws UNAVAILABLE where none is configured */
export function processorOf(runtime: AccountsRuntime): Promise<Processor> {
  const { processor, config } = runtime.services;
  return processor.open({
    now: runtime.now,
    openSandbox: async () => ({
      fetch: sandboxFetch(runtime),
      secretKey: (await sandboxSecrets(runtime)).secretKey,
    }),
    webhookSecrets: async () =>
      config.payments.processor === 'sandbox'
        ? (await sandboxSecrets(runtime)).webhookSecrets
        : config.payments.webhookSecrets,
  });
}
