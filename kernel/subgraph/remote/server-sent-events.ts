/** Milliseconds between the comments that a subgraph of the platform writes to an idle stream. */
export const HEARTBEAT_MS = 12_000;

/** One event: its fields by name; lines of `data` are joined by line breaks. */
type EventFields = ReadonlyMap<string, string>;

/**
 * Parses a stream of server-sent events. Lines end with CRLF, CR or LF, and chunks end anywhere. Unlike browsers it also
 * yields events without `data`. Source: WHATWG HTML, 9.2.6
 * @param maxCharacters of one event @throws when an event is longer
 */
export async function* serverSentEvents(
  chunks: AsyncIterable<string>,
  maxCharacters: number,
): AsyncGenerator<EventFields> {
  let fields = new Map<string, string>();
  let size = 0;
  for await (const line of linesOf(chunks, maxCharacters)) {
    size += line.length;
    if (size > maxCharacters) throw new Error('the event is too long');
    if (line !== '') addField(fields, line);
    else {
      if (fields.size > 0) yield fields;
      [fields, size] = [new Map(), 0];
    }
  }
}

/** Adds the field of a line; a line that begins with a colon is a comment. */
function addField(fields: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
  if (name === '') return;
  const before = name === 'data' ? fields.get(name) : undefined;
  fields.set(name, before === undefined ? value : `${before}\n${value}`);
}

/** Yields the complete lines without their ends, and without the byte order mark of the stream. */
async function* linesOf(chunks: AsyncIterable<string>, maxCharacters: number): AsyncGenerator<string> {
  let [parts, size]: [string[], number] = [[], 0];
  let last = '';
  for await (const chunk of chunks) {
    const ends = /\r\n|\r|\n/g;
    let start = (last === '' && chunk.startsWith('\uFEFF')) || (last === '\r' && chunk.startsWith('\n')) ? 1 : 0;
    ends.lastIndex = start;
    for (let end = ends.exec(chunk); end; end = ends.exec(chunk)) {
      yield parts.join('') + chunk.slice(start, end.index);
      [parts, size, start] = [[], 0, ends.lastIndex];
    }
    parts.push(chunk.slice(start));
    size += chunk.length - start;
    if (size > maxCharacters) throw new Error('the line is too long');
    last = chunk.at(-1) ?? last;
  }
}
