/** The CSS selector of a group or policy of the drawing. */
export function partSelector(id: string): string {
  return `.canvas [data-id="${CSS.escape(id)}"]`;
}

/** Puts the keyboard focus on a group or policy of the drawing. Returns whether it is drawn at the moment. */
export function focusPart(id: string): boolean {
  const part = document.querySelector<HTMLElement | SVGElement>(partSelector(id));
  part?.focus({ preventScroll: true });
  return part !== null;
}
