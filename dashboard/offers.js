import { card, element } from './dom.js';

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

function listCard({ ask }, { title, query, items, line, empty }) {
  const list = element('ul', { class: 'lines' }, element('li', { class: 'faint' }, 'Loading…'));
  const show = async () => {
    try {
      const found = items(await ask(query));
      list.replaceChildren(...(found.length > 0 ? found.map(line) : [element('li', { class: 'faint' }, empty)]));
    } catch (error) {
      const again = element('button', { type: 'button', class: 'quiet', onclick: show }, 'Try again');
      list.replaceChildren(element('li', { class: 'faint' }, error.message, ' ', again));
    }
  };
  void show();
  return card(title, list);
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

function line(title, about, aside) {
  return element(
    'li',
    {},
    element('div', {}, element('strong', {}, title), element('small', {}, about)),
    element('span', { class: 'aside' }, aside),
  );
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

function bytes(count) {
  const power = count < 1 ? 0 : Math.min(Math.floor(Math.log2(count) / 10), UNITS.length - 1);
  return `${(count / 1024 ** power).toLocaleString(undefined, { maximumFractionDigits: 1 })} ${UNITS[power]}`;
}
