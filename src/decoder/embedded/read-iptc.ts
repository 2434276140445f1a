import { isUtf8 } from 'node:buffer';
import { MAX_KEYWORDS } from '../../domain/image/words/tags.ts';
import { ByteReader } from './byte-reader.ts';

const RESOURCE = '8BIM';
const IPTC_RESOURCE = 0x0404;
const PHOTOSHOP_PREFIX = 'Photoshop 3.0\0';

/** IPTC IIM 4.2: record 1 is the envelope, record 2 the application record. */
const DATA_SET_MARKER = 0x1c;
const CODED_CHARACTER_SET = 0x015a;
/** Record and number of the data sets that are read. */
const DATA_SETS = {
  title: 0x0205,
  keywords: 0x0219,
  creator: 0x0250,
  credit: 0x026e,
  copyright: 0x0274,
  description: 0x0278,
} as const;

/** ISO 2022: "ESC % G". */
const UTF8_DESIGNATION = '\u001b%G';

/** Many programs write UTF-8 without saying so. */
const UTF8 = new TextDecoder();
const WINDOWS_1252 = new TextDecoder('windows-1252');

/** Above that, the length of the length follows; no text is that long. */
const MAX_STANDARD_LENGTH = 0x7fff;

type IptcText = keyof typeof DATA_SETS;

/** Values in their order, as they are; at most `MAX_KEYWORDS` of each. */
export type IptcValues = { readonly [Text in IptcText]?: readonly string[] };

export function readIptc(bytes: Uint8Array): IptcValues {
  const values = new Map<number, Uint8Array[]>(Object.values(DATA_SETS).map((id) => [id, []]));
  let saysUtf8 = false;
  for (const { id, value } of dataSetsOf(iptcRecords(bytes))) {
    if (id === CODED_CHARACTER_SET) saysUtf8 ||= latin1(value) === UTF8_DESIGNATION;
    const found = values.get(id);
    if (found !== undefined && found.length < MAX_KEYWORDS) found.push(value);
  }
  const decode = (value: Uint8Array): string =>
    (saysUtf8 || isUtf8(value) ? UTF8 : WINDOWS_1252).decode(value);
  return Object.fromEntries(
    Object.entries(DATA_SETS).map(([text, id]) => [text, values.get(id)?.map(decode)]),
  );
}

interface DataSet {
  /** Record and number. */
  readonly id: number;
  readonly value: Uint8Array;
}

/** JPEG files wrap IPTC into one of Photoshop's resources. */
function iptcRecords(bytes: Uint8Array): Uint8Array {
  if (latin1(bytes.subarray(0, PHOTOSHOP_PREFIX.length)) !== PHOTOSHOP_PREFIX) return bytes;
  const reader = new ByteReader(bytes);
  let offset = PHOTOSHOP_PREFIX.length;
  while (latin1(bytes.subarray(offset, offset + 4)) === RESOURCE) {
    // A name with its length, and the data, are padded to an even length.
    const nameEnd = offset + 6 + even((reader.uint8(offset + 6) ?? 0) + 1);
    const start = nameEnd + 4;
    const size = reader.uint32(nameEnd) ?? 0;
    if (reader.uint16(offset + 4) === IPTC_RESOURCE) return bytes.subarray(start, start + size);
    offset = start + even(size);
  }
  return new Uint8Array();
}

function* dataSetsOf(records: Uint8Array): Generator<DataSet> {
  const reader = new ByteReader(records);
  let offset = 0;
  while (reader.uint8(offset) === DATA_SET_MARKER) {
    const [id, length] = [reader.uint16(offset + 1), reader.uint16(offset + 3)];
    if (id === undefined || length === undefined || length > MAX_STANDARD_LENGTH) return;
    yield { id, value: records.subarray(offset + 5, offset + 5 + length) };
    offset += 5 + length;
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

function even(length: number): number {
  return length + (length % 2);
}
