const SVG = 'http://www.w3.org/2000/svg';

/**
 * An element with attributes, listeners (`onclick: …`) and children. Text becomes text nodes only, never markup; an
 * attribute that is false or undefined is left out.
 * @param {string} name
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | number | null | undefined)} children
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  return /** @type {HTMLElement} */ (fill(document.createElement(name), attributes, children));
}

/**
 * As `element`, for a drawing.
 * @param {string} name
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | number | null | undefined)} children
 * @returns {SVGElement}
 */
export function shape(name, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (fill(document.createElementNS(SVG, name), attributes, children));
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, '');
    else if (value !== false && value !== undefined && value !== null) node.setAttribute(name, String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined).map(asNode));
  return node;
}

function asNode(child) {
  return child instanceof Node ? child : document.createTextNode(String(child));
}

/**
 * A form field with its label, and a hint where there is one.
 * @param {string} label
 * @param {HTMLElement} input its name has to be the only one on the page
 * @param {string} [hint]
 */
export function field(label, input, hint) {
  const id = `field-${input.getAttribute('name')}`;
  input.id = id;
  if (hint) input.setAttribute('aria-describedby', `${id}-hint`);
  const said = hint ? element('small', { id: `${id}-hint` }, hint) : null;
  return element('div', { class: 'field' }, element('label', { for: id }, label), input, said);
}

/**
 * A card with a heading.
 * @param {string} title
 * @param {...Node} children
 */
export function card(title, ...children) {
  return element('section', { class: 'card', 'aria-label': title }, element('h2', {}, title), ...children);
}

/** Sentences shown at a time. */
const MOST_NOTICES = 3;

/**
 * Says a sentence to the user, which goes away after a while; faults stay longer.
 * @param {string} sentence
 * @param {'good' | 'bad'} [kind]
 */
export function tell(sentence, kind = 'good') {
  const dismiss = element(
    'button',
    { type: 'button', class: 'quiet', 'aria-label': 'Dismiss', onclick: () => notice.remove() },
    '×',
  );
  const notice = element(
    'p',
    { class: `notice ${kind}`, role: kind === 'bad' ? 'alert' : undefined },
    sentence,
    dismiss,
  );
  const notices = document.getElementById('notices');
  notices?.append(notice);
  while ((notices?.childElementCount ?? 0) > MOST_NOTICES) notices?.firstElementChild?.remove();
  setTimeout(() => notice.remove(), kind === 'bad' ? 12_000 : 5_000);
}

/**
 * Runs what a button or form asked for: it is disabled meanwhile, and a fault is told as a sentence.
 * @param {HTMLElement} within
 * @param {() => Promise<unknown>} work
 * @returns {Promise<boolean>} whether it succeeded
 */
export async function attempt(within, work) {
  const buttons = within.matches('button') ? [within] : [...within.querySelectorAll('button')];
  for (const button of buttons) button.setAttribute('disabled', '');
  try {
    await work();
    return true;
  } catch (error) {
    tell(error instanceof Error ? error.message : 'Something went wrong.', 'bad');
    return false;
  } finally {
    for (const button of buttons) button.removeAttribute('disabled');
  }
}
