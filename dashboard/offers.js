import { element } from './dom.js';
import { bytes, line, listCard } from './lists.js';

const FLAVORS = '{ vmFlavors { id displayName cpuCores memoryMb dataDiskGb creditsPerHour } }';
const FOLDERS = '{ me { folders { label folderHash fileCount totalBytes deviceName updatedAt } } }';

/** Cards of what can be had and of what is kept: machine sizes and folders. */
export function offers(session) {
  return [
    listCard(session, {
      title: 'Folders',
      query: FOLDERS,
      items: ({ me }) => me.folders ?? [],
      line: folderLine,
      empty: 'No folder is registered yet.',
    }),
    listCard(session, {
      title: 'Machine sizes',
      query: FLAVORS,
      items: ({ vmFlavors }) => vmFlavors,
      line: flavorLine,
      empty: 'No size is on offer.',
    }),
  ];
}

function folderLine({ label, fileCount, totalBytes, deviceName, updatedAt }) {
  const about = [`${fileCount} ${fileCount === 1 ? 'file' : 'files'}`, bytes(totalBytes), deviceName]
    .filter(Boolean)
    .join(' · ');
  const changed = new Date(updatedAt * 1000);
  return line(label, about, element('time', { datetime: changed.toISOString() }, changed.toLocaleDateString()));
}

function flavorLine({ displayName, cpuCores, memoryMb, dataDiskGb, creditsPerHour }) {
  return line(displayName, `${cpuCores} CPU · ${memoryMb / 1024} GiB · ${dataDiskGb} GB disk`, `${creditsPerHour} / h`);
}
