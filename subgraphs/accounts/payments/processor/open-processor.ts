import type { AccountsRuntime } from '../../services.js';
import type { Processor } from './processor.js';

/** The payment processor of this platform. @throws UNAVAILABLE if none is configured */
export function processorOf(runtime: AccountsRuntime): Promise<Processor> {
  const { processor, sandbox, config } = runtime.services;
  return processor.open({
    now: runtime.now,
    openSandbox: async () => ({
      fetch: sandbox.fetch(runtime),
      secretKey: (await sandbox.secrets(runtime)).secretKey,
    }),
    webhookSecrets: async () =>
      config.payments.processor === 'sandbox'
        ? (await sandbox.secrets(runtime)).webhookSecrets
        : config.payments.webhookSecrets,
  });
}
