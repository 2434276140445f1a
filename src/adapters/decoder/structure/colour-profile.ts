/** ICC.1:2022, 7.2 and 7.3. */
const HEADER_BYTES = 128;
const COUNT_BYTES = 4;
const ENTRY_BYTES = 12;

/** Real profiles have up to 30, and lcms reads no more. */
const MAX_TAGS = 100;

/** Bytes from the start of a profile that are sufficient for `profileExcess`. */
export const PROFILE_HEAD_BYTES = HEADER_BYTES + COUNT_BYTES + MAX_TAGS * ENTRY_BYTES;

/** Chains of multi-process elements. They may name one element any number of times. */
const ELEMENTS = /^(?:D2B|B2D)/;

/** Lookup tables and curves. Real profiles share them whole, and let only their texts overlap with other tags. */
const TABLES = /^(?:A2B|B2A|pre)\d$|^gamt$|TRC$/;

interface Tag {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * What makes a profile expensive, found in its table of tags; `undefined` if nothing does. An ill-formed profile is not expensive:
 * lcms refuses it, and the image is decoded without it.
 *
 * @param head at least the first `PROFILE_HEAD_BYTES`, or the whole profile
 */
export function profileExcess(head: Uint8Array): string | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < HEADER_BYTES + COUNT_BYTES) return undefined;
  const count = view.getUint32(HEADER_BYTES);
  if (count > MAX_TAGS) return `a colour profile with more than ${MAX_TAGS} tags`;
  const tags = tagsOf(view, count);
  if (tags.some(({ name }) => ELEMENTS.test(name))) return 'a colour profile with multi-process elements';
  if (overlap(tags.filter(({ name }) => TABLES.test(name))))
    return 'a colour profile with overlapping tables';
  return undefined;
}

function tagsOf(view: DataView, count: number): readonly Tag[] {
  const first = HEADER_BYTES + COUNT_BYTES;
  const complete = Math.min(count, Math.floor((view.byteLength - first) / ENTRY_BYTES));
  return Array.from({ length: complete }, (_, index) => {
    const at = first + index * ENTRY_BYTES;
    const name = String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));
    const start = view.getUint32(at + 4);
    return { name, start, end: start + view.getUint32(at + 8) };
  });
}

/** Whether any two have some bytes in common, but not all. */
function overlap(tags: readonly Tag[]): boolean {
  const sorted = tags.toSorted((a, b) => a.start - b.start || a.end - b.end);
  return sorted.some((tag, index) => {
    const next = sorted[index + 1];
    return next !== undefined && next.start < tag.end && (next.start !== tag.start || next.end !== tag.end);
  });
}
