/** The name for comparisons: normalized and case-folded, so that ÜBER finds über and STRASSE finds Straße. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** The extension of a folded name, from the last dot; null if there is none. */
export function extensionOf(foldedName: string): string | null {
  return /\.[^./\\]{1,64}$/.exec(foldedName)?.[0] ?? null;
}

/** Indexed name and extension: of the file name or, without one, of the relative path. */
export function searchedName(
  fileName: string | null,
  relativePath: string | null,
): { readonly foldedName: string | null; readonly extension: string | null } {
  const name = fileName ?? relativePath;
  if (name === null) return { foldedName: null, extension: null };
  const foldedName = foldCase(name);
  return { foldedName, extension: extensionOf(foldedName) };
}
