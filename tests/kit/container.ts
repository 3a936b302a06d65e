import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { instructions } from './compose.js';
import { spawnPiped, type PipedProcess } from './run.js';

/**
 * Starts a command in a file system of its own, as an engine does for a container with `read_only`: the root is read-only
 * but for /data and /tmp, the user is 1000 without rights, and the path has no program.
 */
const START = `
set -eu
node=$1; root=$2; image=$3; modules=$4; dist=$5; data=$6; shift 6
mount -t tmpfs tmpfs "$root"
mkdir "$root/app" "$root/data" "$root/tmp" "$root/proc" "$root/dev"
for name in usr etc bin lib lib64; do
  if [ -L "/$name" ]; then cp -P "/$name" "$root/$name"
  elif [ -d "/$name" ]; then mkdir "$root/$name"; mount --rbind "/$name" "$root/$name"; fi
done
echo node:x:1000:1000::/tmp:/usr/sbin/nologin > "$root/passwd"
mount --bind "$root/passwd" "$root/etc/passwd"
touch "$root/node"
mount --bind "$node" "$root/node"
mount --rbind "$image" "$root/app"
mount --bind "$modules" "$root/app/node_modules"
mount --bind "$dist" "$root/app/dist"
mount --bind "$data" "$root/data"
mount -t tmpfs tmpfs "$root/tmp"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
for name in usr etc node app app/node_modules app/dist; do mount -o remount,bind,ro "$root/$name"; done
mount -o remount,ro "$root"
exec unshare --user --map-user=1000 --map-group=1000 --root="$root" --wd=/app "$@"
`;

/** A namespace of mounts, in which they are permitted. */
const UNSHARE = ['unshare', '--map-root-user', '--mount'] as const;

/** Why no such file system can be made here; undefined: it can. */
export function whyNoContainer(): string | undefined {
  try {
    const [unshare, ...words] = UNSHARE;
    execFileSync(unshare, [...words, 'unshare', '--user', '--map-user=1000', 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'namespaces are not permitted here, or util-linux is older than 2.36';
  }
}

/** The image of the platform: the files that the Dockerfile copies into it. */
export class Image {
  private constructor(private readonly folder: string) {}

  static async make(): Promise<Image> {
    const folder = await mkdtemp(join(tmpdir(), 'archipelago-image-'));
    const app = join(folder, 'app');
    for (const words of instructions('runtime', 'COPY').filter((line) => !line.startsWith('--from')))
      for (const name of words.split(' ').slice(0, -1))
        await cp(join(packageRoot(), name), join(app, name), { recursive: true });
    for (const name of ['app/node_modules', 'app/dist', 'root']) await mkdir(join(folder, name));
    return new Image(folder);
  }

  /** Starts Node with these words in a container. @param data the folder of the volume /data */
  start(words: readonly string[], data: string, env: Readonly<Record<string, string>>): PipedProcess {
    const folders = ['root', 'app'].map((name) => join(this.folder, name));
    const built = ['node_modules', 'dist'].map((name) => join(packageRoot(), name));
    const variables = Object.entries({ ...env, DATA_DIR: '/data' }).map(([name, value]) => `${name}=${value}`);
    const command = ['/usr/bin/env', '--ignore-environment', ...variables, '/node', ...words];
    const outside = [...UNSHARE, 'sh', '-c', START, 'sh', process.execPath, ...folders, ...built, data];
    return spawnPiped([...outside, ...command], {});
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
