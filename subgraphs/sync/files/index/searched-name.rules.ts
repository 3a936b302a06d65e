/** What a name is compared by: case folded by Unicode, composed, so that ÜBER finds über and STRASSE finds Straße. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** From the last dot of a folded name on; null where there is none or nothing behind it. */
export function extensionOf(foldedName: string): string | null {
  return /\.[^./\\]{1,64}$/.exec(foldedName)?.[0] ?? null;
}

/** What a row is searched by. `folded_name` is of the file name or, where there is none, of the relative path. */
export function searchedName(
  fileName: string | null,
  relativePath: string | null,
): { readonly foldedName: string | null; readonly extension: string | null } {
  const name = fileName ?? relativePath;
  if (name === null) return { foldedName: null, extension: null };
  const foldedName = foldCase(name);
  return { foldedName, extension: extensionOf(foldedName) };
}
