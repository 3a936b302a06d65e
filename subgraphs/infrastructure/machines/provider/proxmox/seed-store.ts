import { ProviderFault, type MachineSpec } from '../provider.js';
import { SEED_LABEL, seedOf } from '../seed/seed.rules.js';
import { volumeOf } from '../seed/volume.rules.js';
import type { ProxmoxApi } from './api.js';

/**
 * Cloud-init seeds as ISO images on a storage of the node, because the Proxmox API accepts these but no user data.
 */
export class SeedStore {
  constructor(
    private readonly api: ProxmoxApi,
    private readonly node: string,
    /** Undefined: not configured. */
    private readonly storage: string | undefined,
  ) {}

  /** Volume id of a machine's seed. @throws ProviderFault when no storage is configured */
  volumeOf(uuid: string): string {
    if (this.storage === undefined)
      throw new ProviderFault('This host does not support applications or private networks.');
    return `${this.storage}:iso/archipelago-${uuid}.iso`;
  }

  async has(uuid: string): Promise<boolean> {
    if (this.storage === undefined) return false;
    const answer = await this.api.request('GET', `${this.path()}/content?content=iso`);
    const files = Array.isArray(answer) ? (answer as { readonly volid?: unknown }[]) : [];
    return files.some(({ volid }) => volid === this.volumeOf(uuid));
  }

  /** @param mac of the first network card, if any @returns the upload task */
  async upload(spec: MachineSpec, mac: string | undefined): Promise<string> {
    const image = volumeOf(SEED_LABEL, seedOf(spec, mac));
    const boundary = `archipelago-${spec.uuid}`;
    const head = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
    const bytes = Buffer.concat([
      Buffer.from(`${head('name="content"')}\r\niso\r\n`),
      Buffer.from(head(`name="filename"; filename="archipelago-${spec.uuid}.iso"`)),
      Buffer.from('Content-Type: application/octet-stream\r\n\r\n'),
      image,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const type = `multipart/form-data; boundary=${boundary}`;
    return this.api.task('POST', `${this.path()}/upload`, { type, bytes });
  }

  /** Deletes the seed of a destroyed machine, which may contain secrets. */
  async remove(uuid: string): Promise<void> {
    if (await this.has(uuid))
      await this.api.request('DELETE', `${this.path()}/content/${encodeURIComponent(this.volumeOf(uuid))}`);
  }

  private path(): string {
    return `nodes/${this.node}/storage/${encodeURIComponent(this.storage ?? '')}`;
  }
}
