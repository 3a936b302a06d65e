/** One entity tag of a list and its delimiter. Source: RFC 9110, 8.8.3 and 5.6.1 */
const NEXT_TAG = /[\t ]*(?:(?:W\/)?("[\x21\x23-\x7e\x80-\u{10ffff}]*")[\t ]*)?(?:,|$)/uy;

/**
 * Returns the quoted tags of an `If-None-Match` header; `*` matches every tag. The prefix `W/` is removed, because the
 * header uses weak comparison. An invalid header has no tags. Source: RFC 9110, 13.1.2
 */
export function entityTags(header: unknown): readonly string[] {
  if (typeof header !== 'string') return [];
  if (header.trim() === '*') return ['*'];
  const tags: string[] = [];
  for (let at = 0; at < header.length;) {
    NEXT_TAG.lastIndex = at;
    const found = NEXT_TAG.exec(header);
    if (!found) return [];
    if (found[1] !== undefined) tags.push(found[1]);
    at = NEXT_TAG.lastIndex;
  }
  return tags;
}

/** Whether an `If-None-Match` header matches the tag. @param etag quoted */
export function namesTag(header: unknown, etag: unknown): boolean {
  return entityTags(header).some((tag) => tag === '*' || tag === etag);
}
