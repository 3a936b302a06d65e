import { unaudited } from '../../../../kernel/audit/audited.js';
import type { AccountsRuntime, AccountsServices } from '../../services.js';
import type { Processor } from './processor.js';

/** Whether the processor of this platform is the sandbox, which takes test money. */
export function isSimulated({ config }: Pick<AccountsServices, 'config'>): boolean {
  return config.payments.processor === 'sandbox';
}

/** The payment processor of this platform. @throws UNAVAILABLE if none is configured */
export function processorOf(runtime: AccountsRuntime): Promise<Processor> {
  const { processor, sandbox, config } = runtime.services;
  // The first request opens the client for all: what the sandbox writes later is not a change of its user.
  const own = { ...runtime, database: unaudited(runtime.database) };
  return processor.open({
    now: runtime.now,
    log: runtime.log,
    openSandbox: async () => ({
      fetch: sandbox.fetch(own),
      secretKey: (await sandbox.secrets(own)).secretKey,
    }),
    webhookSecrets: async () =>
      config.payments.processor === 'sandbox'
        ? (await sandbox.secrets(own)).webhookSecrets
        : config.payments.webhookSecrets,
  });
}
