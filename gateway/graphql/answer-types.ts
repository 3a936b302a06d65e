import { MIMEType } from 'node:util';

/** The media types of one answer, from which Apollo Server chooses. */
const ANSWERS = [
  'application/json; charset=utf-8',
  'application/graphql-response+json; charset=utf-8',
  'application/json; callbackSpec=1.0; charset=utf-8',
].map((text) => new MIMEType(text));

/** The elements of an Accept header. A comma in quotes does not end one. */
const ELEMENTS = /(?:"(?:\\.|[^"\\])*"|[^",])+/g;

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: readonly (readonly [string, string])[];
  readonly quality: number;
}

/** Whether a client accepts one of the answers. Source: RFC 9110, Accept */
export function acceptsAnswer(header: string | undefined): boolean {
  if (!header) return true;
  const ranges = (header.match(ELEMENTS) ?? []).flatMap(readRange);
  return ANSWERS.some((answer) => qualityOf(answer, ranges) > 0);
}

/** Returns nothing for an invalid element. */
function readRange(text: string): readonly MediaRange[] {
  try {
    const { type, subtype, params } = new MIMEType(text);
    const quality = Number.parseFloat(params.get('q') ?? '1');
    return [{ type, subtype, parameters: [...params].filter(([name]) => name !== 'q'), quality }];
  } catch {
    return [];
  }
}

/** "If more than one media range applies to a given type, the most specific reference has precedence." */
function qualityOf(answer: MIMEType, ranges: readonly MediaRange[]): number {
  const specificity = (range: MediaRange) =>
    Number(range.type !== '*') * 4 + Number(range.subtype !== '*') * 2 + Number(range.parameters.length > 0);
  const [first] = ranges
    .filter((range) => appliesTo(range, answer))
    .toSorted((one, other) => specificity(other) - specificity(one) || other.quality - one.quality);
  return first?.quality ?? 0;
}

function appliesTo({ type, subtype, parameters }: MediaRange, answer: MIMEType): boolean {
  const hasParameter = ([name, value]: readonly [string, string]) =>
    value === '*' || (answer.params.get(name) ?? '').toLowerCase() === value.toLowerCase();
  return (
    (type === '*' || type === answer.type) &&
    (subtype === '*' || subtype === answer.subtype) &&
    parameters.every(hasParameter)
  );
}
