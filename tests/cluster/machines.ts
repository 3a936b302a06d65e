import { randomBytes } from 'node:crypto';
import { SPAWN } from '../kit/machines/machine.js';
import type { Json } from '../kit/platform.js';
import { grant, setRoles, signIn, type SignedIn } from '../kit/accounts/wallet.js';
import { pause, type RepeatingClient } from './client.js';

/** The credits of the owner at the beginning. */
export const OWNER_CREDITS = 1_000_000;

/** A machine that was made. */
export interface Made {
  /** The answer to its spawn. */
  readonly answered: Json;
  /** Whether the reboot was sent once; otherwise two attempts may have arrived. */
  readonly isRebootClear: boolean;
}

/** A user whose machines are made, rebooted and terminated, one after the other, and charged by the second. */
export class MachineOwner {
  readonly made: Made[] = [];

  private constructor(
    private readonly client: RepeatingClient,
    readonly user: SignedIn,
  ) {}

  static async signIn(client: RepeatingClient): Promise<MachineOwner> {
    const user = await signIn(undefined, client.url);
    await setRoles(user.substrateAddress, ['BETA'], client.url);
    await grant(user, `${OWNER_CREDITS}`, client.url);
    return new MachineOwner(client, user);
  }

  /** Makes a machine, reboots and terminates it. */
  async live(): Promise<void> {
    const { token } = this.user;
    const key = randomBytes(12).toString('hex');
    const { body } = await this.client.repeat(undefined, 'POST /api/infrastructure/vm/spawn/', SPAWN, { token, key });
    await this.isIn('running', body.id);
    const { attempts } = await this.command(body.id, 'reboot');
    this.made.push({ answered: body, isRebootClear: attempts === 1 });
    await this.isIn('running', body.id);
    await this.command(body.id, 'terminate');
    await this.isIn('terminated', body.id);
  }

  /** Sends a command; 409 says that an earlier attempt arrived. */
  private command(id: number, word: string): Promise<{ readonly attempts: number }> {
    const target = `POST /api/infrastructure/vm/instances/${id}/${word}/`;
    return this.client.repeat(undefined, target, {}, { token: this.user.token, statuses: [200, 201, 202, 409] });
  }

  private async isIn(status: string, id: number): Promise<void> {
    const target = `GET /api/infrastructure/vm/instances/${id}/`;
    const read = async (): Promise<Json> =>
      (await this.client.repeat('machine', target, undefined, { token: this.user.token })).body;
    for (let { status: found } = await read(); found !== status; found = (await read()).status) {
      if (found === 'failed') throw new Error(`the machine ${id} failed before it was ${status}`);
      await pause(200);
    }
  }
}
