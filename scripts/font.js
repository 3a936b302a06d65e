import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** Weights from text to `<strong>`. Without the thin and the black design the file is smaller. */
const WEIGHTS = { min: 400, max: 700 };

/**
 * OpenType features that are kept: kerning and marks, tabular figures, and the shapes that base.css asks for. Contextual
 * alternates are not: they draw `->` as an arrow, and names are shown as they were typed.
 */
const FEATURES = ['kern', 'ccmp', 'locl', 'mark', 'tnum', 'cv05', 'ss03'];

/** Name ID 14 of the OpenType name table: the URL of the licence, which the SIL Open Font License requires beside the copyright (always kept). Inter has no reserved font name. */
const LICENCE_URL = 14;

/** Returns the Latin part of Inter with the weights and features that the dashboard uses, as WOFF2. System fonts draw all other letters. */
export async function dashboardFont() {
  // Loaded here: the build starts before packages are installed.
  const { default: subsetFont } = await import('subset-font');
  const { resolve } = createRequire(import.meta.url);
  const [font, unicode] = await Promise.all([
    readFile(resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')),
    readFile(resolve('@fontsource-variable/inter/unicode.json'), 'utf8'),
  ]);
  return subsetFont(font, charactersOf(JSON.parse(unicode).latin), {
    targetFormat: 'woff2',
    variationAxes: { wght: WEIGHTS },
    keepFeatures: FEATURES,
    preserveNameIds: [LICENCE_URL],
  });
}

/** Returns the characters of a `unicode-range` of CSS, e.g. `U+0000-00FF,U+0131`. */
function charactersOf(ranges) {
  const codes = ranges.split(',').flatMap((range) => {
    const [first, last = first] = range
      .replace('U+', '')
      .split('-')
      .map((code) => parseInt(code, 16));
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  return String.fromCodePoint(...codes);
}
