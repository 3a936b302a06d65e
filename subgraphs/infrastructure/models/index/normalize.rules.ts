import { isStorable } from '../../../../kernel/scalars/text.js';

/** Maximum length of a value. */
const MAX_WORD_LENGTH = 100;

/** Invisible characters, including those that change the text direction. */
const UNSEEN = /[\p{Cc}\p{Cf}]/u;

/** Normalizes a filter value to lower case; null when empty or unusable. */
export function normalizeValue(value: unknown): string | null {
  const word = typeof value === 'string' && isStorable(value) ? value.trim().toLowerCase() : '';
  return word === '' || word.length > MAX_WORD_LENGTH || UNSEEN.test(word) ? null : word;
}

/** Powers of ten of the suffixes of a parameter count. Source: ModelPack configuration, paramSize */
const POWERS: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9, t: 12, q: 15 };

const MAX_INT64 = 2n ** 63n - 1n;

/** Parses a parameter count such as `8b` or `361.82M` to exact digits; null for anything else. */
export function parameterCount(value: unknown): string | null {
  const text = Number.isSafeInteger(value) ? String(value) : (normalizeValue(value) ?? '');
  const found = /^(\d{1,19})(?:\.(\d{1,15}))?\s*([kmbtq])?$/.exec(text);
  return found && scaled(found[1] ?? '', found[2] ?? '', POWERS[found[3] ?? ''] ?? 0);
}

/** A decimal times a power of ten; null unless a positive 64-bit integer. */
function scaled(whole: string, fraction: string, power: number): string | null {
  if (/[1-9]/.test(fraction.slice(power))) return null;
  const count = BigInt(whole + fraction.slice(0, power).padEnd(power, '0'));
  return count > 0n && count <= MAX_INT64 ? count.toString() : null;
}

/** Parameter count in a name, e.g. `llama-3-8b-instruct`; null for mixtures such as `8x7b`. */
export function parametersInName(name: string): string | null {
  const found = /(?:^|[-_. /])(\d{1,4}(?:\.\d{1,3})?[mbt])(?=$|[-_. :])/i.exec(name);
  return parameterCount(found?.[1]);
}

/** Names of quantizations and the normalized value of each. */
const WIDTHS: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/^(?:bf16|bfloat16)$/, () => 'bf16'],
  [/^(?:fp?16|float16|half)$/, () => 'fp16'],
  [/^(?:fp?32|float32)$/, () => 'fp32'],
  [/^(?:fp8|float8|f8)(?:[-_].*)?$/, () => 'fp8'],
  [/^u?int([248])$/, ([, bits]) => `int${bits}`],
  [/^([248])[-_ ]?bits?$/, ([, bits]) => `int${bits}`],
  // The types of llama.cpp: q4_k_m, iq2_xxs, q8_0.
  [/^i?q([1-8])(?:_\w+)?$/, ([, bits]) => `int${bits}`],
];

/** Normalized quantization; null when unknown. */
function widthOf(word: string | null): string | null {
  // Docker writes mixed types as `IQ2_XXS/Q4_K_M`; the last one is the common name.
  const last = word?.split('/').at(-1) ?? '';
  for (const [pattern, write] of WIDTHS) {
    const found = pattern.exec(last);
    if (found) return write(found);
  }
  return null;
}

/** Quantization from several values: the first known one, else the first value. */
export function quantizationOf(...values: readonly unknown[]): string | null {
  const words = values.map(normalizeValue).filter((word) => word !== null);
  return words.map(widthOf).find((width) => width !== null) ?? words[0] ?? null;
}

/** Quantization in a file name, e.g. `model.Q4_K_M.gguf`; null when there is none. */
export function quantizationInName(name: string): string | null {
  const parts = name.toLowerCase().split(/[-. /]/);
  return parts.map(widthOf).find((width) => width !== null) ?? null;
}
