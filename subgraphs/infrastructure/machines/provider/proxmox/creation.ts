import { ProviderFault, type MachineSpec } from '../provider.js';
import type { Answer, ProxmoxApi } from './api.js';
import { bootDisk, macOf, markOf, seedDrive, settingsOf, vmidOf } from './proxmox.rules.js';
import type { SeedStore } from './seed-store.js';

/** The Proxmox node and its services. */
export interface ProxmoxHost {
  readonly api: ProxmoxApi;
  readonly seeds: SeedStore;
  readonly node: string;
}

/** A machine on Proxmox. */
export interface ProxmoxMachine {
  /** API path, `nodes/<node>/qemu/<vmid>`. */
  readonly path: string;
  readonly status: Answer;
  readonly config: Answer;
}

/** Reads the machines and templates of the cluster. */
export async function readResources(api: ProxmoxApi): Promise<Answer[]> {
  const answer = await api.request('GET', 'cluster/resources?type=vm');
  return Array.isArray(answer) ? (answer as Answer[]) : [];
}

/** Sends a request. @returns the started task; null: it was done at once */
export type Send = () => Promise<string | null>;

/** The next request of a creation: clone, upload the seed, resize or start; null: none. Configures the clone on the way. */
export async function nextStep(
  host: ProxmoxHost,
  found: ProxmoxMachine | undefined,
  spec: MachineSpec,
): Promise<Send | null> {
  if (!found) return cloneTemplate(host, spec);
  return found.status.status === 'stopped' ? prepare(host, found, spec) : null;
}

/** Clones the template named like the image. */
async function cloneTemplate({ api, node }: ProxmoxHost, { uuid, hostName, image }: MachineSpec): Promise<Send> {
  const machines = await readResources(api);
  // Not sent where another process has cloned it meanwhile: the stored state has changed then, unless that task has already ended.
  if (machines.some(({ vmid }) => Number(vmid) === vmidOf(uuid)))
    return () => Promise.reject(new ProviderFault('The host has another machine with the number of this one.'));
  const template = machines.find(
    (one) => one.template === 1 && one.name === image && one.node === node && one.type === 'qemu',
  );
  if (!template) throw new ProviderFault(`The host does not have the image "${image}" yet.`);
  const words = { newid: vmidOf(uuid), name: hostName, description: markOf(uuid) };
  return () => api.task('POST', `nodes/${node}/qemu/${Number(template.vmid)}/clone`, words);
}

/** Configures a clone, which may be repeated. */
async function prepare(
  { api, seeds }: ProxmoxHost,
  { path, config }: ProxmoxMachine,
  spec: MachineSpec,
): Promise<Send> {
  const disk = bootDisk(config);
  if (!disk) throw new ProviderFault(`The image "${spec.image}" has no disk.`);
  if (disk.gib > spec.diskGb)
    throw new ProviderFault(`The image "${spec.image}" needs a disk of ${Math.ceil(disk.gib)} GB.`);
  const seed = spec.parts.length === 0 ? undefined : seeds.volumeOf(spec.uuid);
  if (seed !== undefined && !(await seeds.has(spec.uuid))) return () => seeds.upload(spec, macOf(config));
  const drive = seed === undefined ? {} : { [seedDrive(config, seed)]: `${seed},media=cdrom` };
  await api.request('PUT', `${path}/config`, { ...settingsOf(spec), ...drive });
  if (disk.gib === spec.diskGb) return () => api.task('POST', `${path}/status/start`);
  return async () => {
    const task = await api.request('PUT', `${path}/resize`, { disk: disk.name, size: `${spec.diskGb}G` });
    // Before version 8, the resize is synchronous.
    return typeof task === 'string' ? task : null;
  };
}
