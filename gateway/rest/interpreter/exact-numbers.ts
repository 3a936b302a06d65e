/** Digits as a JSON number without loss of precision. Other values are returned unchanged. */
export function exactNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value) ? rawJson(value) : value;
}

/** TypeScript has no types for it yet. Source: ECMAScript proposal JSON.parse source text access */
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };
