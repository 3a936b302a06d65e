import { card, element } from './dom.js';

/** A card with a list that is loaded when it is shown; a failed load can be tried again. */
export function listCard({ ask }, { title, query, items, line, empty }) {
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

/** A line of a list: what it is, more about it, a figure at its end. */
export function line(title, about, aside) {
  return element(
    'li',
    {},
    element('div', {}, element('strong', {}, title), element('small', {}, about)),
    element('span', { class: 'aside' }, aside),
  );
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A number of bytes in the largest unit that leaves a whole. @param {number | string} count digits where it is beyond 2^53 */
export function bytes(count) {
  const power = count < 1 ? 0 : Math.min(Math.floor(Math.log2(count) / 10), UNITS.length - 1);
  return `${(Number(count) / 1024 ** power).toLocaleString(undefined, { maximumFractionDigits: 1 })} ${UNITS[power]}`;
}
