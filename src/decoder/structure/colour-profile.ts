import { type CostlyProfile, MAX_PROFILE_TAGS } from '../../domain/image/decode-excess.ts';

/** ICC.1:2022, 7.2 and 7.3: the header, the number of tags, and an entry for each. */
const HEADER_BYTES = 128;
const COUNT_BYTES = 4;
const ENTRY_BYTES = 12;
const SIGNATURE = { at: 36, text: 'acsp' };

/** Chains of multi-process elements. They may name one element any number of times. */
const ELEMENTS = /^(?:D2B|B2D)/;

/** Lookup tables and curves. Real profiles share them whole, and let only their texts overlap with other tags. */
const TABLES = /^(?:A2B|B2A|pre)\d$|^gamt$|TRC$/;

interface Tag {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Whether the bytes are a colour profile, and all of it. */
export function isColourProfile(bytes: Uint8Array): boolean {
  return isUsableProfile(bytes) && viewOf(bytes).getUint32(0) === bytes.length;
}

/**
 * Whether a decoder should convert colours by these bytes. They are ignored if they are no colour profile, or a damaged one: shorter
 * than its size says, with a tag beyond its end, or with more tags than a profile can need. Browsers ignore such profiles too.
 *
 * @param head at least the table of tags
 * @param length bytes of all of it
 */
export function isUsableProfile(head: Uint8Array, length = head.length): boolean {
  if (head.length < HEADER_BYTES + COUNT_BYTES) return false;
  const view = viewOf(head);
  const size = view.getUint32(0);
  const count = view.getUint32(HEADER_BYTES);
  const signature = String.fromCharCode(...head.subarray(SIGNATURE.at, SIGNATURE.at + SIGNATURE.text.length));
  if (signature !== SIGNATURE.text || size > length || count > MAX_PROFILE_TAGS) return false;
  const tags = tagsOf(view, count);
  return tags.length === count && tags.every(({ end }) => end <= size);
}

/**
 * What makes a profile expensive, found in its table of tags; `undefined` if nothing does.
 *
 * @param head at least the table of tags, or the whole profile
 */
export function expensivePartOf(head: Uint8Array): CostlyProfile | undefined {
  if (head.length < HEADER_BYTES + COUNT_BYTES) return undefined;
  const view = viewOf(head);
  const count = view.getUint32(HEADER_BYTES);
  // lcms refuses a profile with more, and the picture is decoded without it.
  if (count > MAX_PROFILE_TAGS) return undefined;
  const tags = tagsOf(view, count);
  if (tags.some(({ name }) => ELEMENTS.test(name))) return 'multi-process elements';
  return overlap(tags.filter(({ name }) => TABLES.test(name))) ? 'overlapping tables' : undefined;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
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
