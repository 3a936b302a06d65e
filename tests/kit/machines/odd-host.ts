import {
  HostUnreachable,
  type Observation,
  type VmProvider,
} from '../../../subgraphs/infrastructure/machines/provider/provider.js';

/** A host that does as the test says. */
export class OddHost implements VmProvider {
  /** Refuses commands; a host that is unreachable cannot be observed either. */
  fault: Error | undefined;
  sees: Observation['state'] = 'running';
  isWell = false;
  /** Runs before the host is observed. */
  beforeLook: () => Promise<void> = () => Promise.resolve();
  readonly commands: string[] = [];

  create(): Promise<string> {
    return this.hear('create').then(() => 'odd');
  }
  start(): Promise<void> {
    return this.hear('start');
  }
  stop(): Promise<void> {
    return this.hear('stop');
  }
  reboot(): Promise<void> {
    return this.hear('reboot');
  }
  destroy(): Promise<void> {
    return this.hear('destroy');
  }
  async observe(): Promise<Observation> {
    const state = this.sees;
    await this.beforeLook();
    if (this.fault instanceof HostUnreachable) throw this.fault;
    const reason = state === 'broken' && { reason: 'The disk of the host is full or faulty.' };
    return { state, publicIp: null, ...reason };
  }

  probe(): Promise<boolean> {
    return Promise.resolve(this.isWell);
  }
  console(): Promise<string | null> {
    return Promise.resolve(null);
  }

  /** As at the beginning. */
  reset(): void {
    Object.assign(this, { fault: undefined, sees: 'running', isWell: false, beforeLook: () => Promise.resolve() });
    this.commands.length = 0;
  }

  private hear(word: string): Promise<void> {
    this.commands.push(word);
    return this.fault ? Promise.reject(this.fault) : Promise.resolve();
  }
}
