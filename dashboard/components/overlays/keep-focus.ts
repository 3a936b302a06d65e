/** Where the focus was, and where it goes if its element is gone. */
interface Place {
  readonly element: Element;
  /** The nearest element around it that is still there, and the child that was before it. */
  readonly box: Node;
  readonly mark: Node | null;
}

const FOCUSABLE = ':is(a[href], button, input, select, textarea, summary, [tabindex]):not(:disabled, [tabindex="-1"])';

/** What has no place of its own: beyond it the title of the page takes the focus. */
const WHOLE = 'main, .page, #root, body, html';

/**
 * Keeps the keyboard focus on the page. When what has it goes away or is disabled, also under an open dialog, the next thing
 * beside it takes the focus, else the title of the page. The user may take the focus away, and what a page focuses comes first.
 */
export function keepFocus(): void {
  let place: Place | undefined;
  let isWaiting = false;
  const restore = () => {
    isWaiting = false;
    if (place && isNowhere()) focusOn(isUsable(place.element) ? place.element : nextTo(place));
  };
  const wait = () => {
    if (isWaiting || !place || !isNowhere()) return;
    isWaiting = true;
    requestAnimationFrame(() => requestAnimationFrame(restore));
  };
  document.addEventListener('focusin', ({ target }) => {
    // Dialogs and menus are beside the root; toasts go away by themselves.
    if (target instanceof Element && target.closest('#root') && !target.closest('.toasts'))
      place = { element: target, box: target, mark: null };
  });
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (target !== place?.element || relatedTarget !== null || !document.hasFocus()) return;
    queueMicrotask(() => {
      if (place && isNowhere() && isUsable(place.element)) place = undefined;
    });
  });
  new MutationObserver((records) => {
    for (const record of records) if (place) place = movedBy(record, place);
    wait();
  }).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden'],
  });
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function isUsable(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled') && element.checkVisibility();
}

/** The place after a removal: beside what is still there. */
function movedBy({ removedNodes, target, previousSibling }: MutationRecord, place: Place): Place {
  for (const node of removedNodes) {
    if (node.contains(place.box)) return { ...place, box: target, mark: previousSibling };
    if (place.mark && node.contains(place.mark)) return { ...place, mark: previousSibling };
  }
  return place;
}

/** What follows the place in the smallest part of the page that has anything to focus, or else precedes it; undefined if none has. */
function nextTo({ box, mark }: Place): Element | undefined {
  let last = mark;
  for (let at = box; at instanceof Element && !at.matches(WHOLE) && at.parentNode; at = at.parentNode) {
    const found = [...at.querySelectorAll(FOCUSABLE)].filter(isUsable);
    const follows = (one: Element) => !last || (isBefore(last, one) && !last.contains(one));
    const next = found.find(follows) ?? found.at(-1);
    if (next) return next;
    last = at;
  }
  return undefined;
}

function isBefore(one: Node, other: Node): boolean {
  return (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

function focusOn(element: Element | undefined): void {
  const title = document.querySelector('h1');
  if (!element && title) title.tabIndex = -1;
  const next = element ?? title;
  if (next instanceof HTMLElement || next instanceof SVGElement) next.focus({ preventScroll: true });
}
