import { SaxesParser, type SaxesTagNS } from 'saxes';

const DUBLIN_CORE = 'http://purl.org/dc/elements/1.1/';
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

/** What a JPEG segment holds. Longer packets are not read. */
export const MAX_XMP_BYTES = 64 * 1024;

/** saxes resolves a prefix by walking up all open elements: 40,000 of them took 32 s. */
const MAX_DEPTH = 64;

/** The keywords, `dc:subject`, in their order, as they are. None if the packet is ill-formed or has a document type. */
export function xmpSubjects(packet: Uint8Array): readonly string[] {
  if (packet.length > MAX_XMP_BYTES || !mentionsSubject(packet)) return [];
  const reading = new SubjectReader();
  try {
    reading.read(new TextDecoder('utf-8', { fatal: true }).decode(withoutPadding(packet)));
  } catch {
    return [];
  }
  return reading.subjects;
}

/** saxes loads nothing and expands no entities but the five of XML. */
class SubjectReader {
  readonly subjects: string[] = [];
  private depth = 0;
  private isInSubject = false;
  private item: string | undefined;

  read(xml: string): void {
    const parser = new SaxesParser({ xmlns: true });
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('doctype', () => {
      throw new TypeError('A packet has no document type');
    });
    parser.on('opentag', (tag) => this.open(tag));
    parser.on('closetag', (tag) => this.close(tag));
    parser.on('text', (text) => this.add(text));
    parser.on('cdata', (text) => this.add(text));
    parser.write(xml).close();
  }

  private open(tag: SaxesTagNS): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new RangeError('The packet is nested too deeply');
    if (isSubject(tag)) this.isInSubject = true;
    if (this.isInSubject && isItem(tag)) this.item = '';
  }

  private add(text: string): void {
    if (this.item !== undefined) this.item += text;
  }

  private close(tag: SaxesTagNS): void {
    this.depth -= 1;
    if (isSubject(tag)) this.isInSubject = false;
    if (this.item === undefined || !isItem(tag)) return;
    this.subjects.push(this.item);
    this.item = undefined;
  }
}

/** Most packets have no keywords and need no parsing. */
function mentionsSubject(packet: Uint8Array): boolean {
  return Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength).includes('subject');
}

function isSubject({ uri, local }: SaxesTagNS): boolean {
  return uri === DUBLIN_CORE && local === 'subject';
}

function isItem({ uri, local }: SaxesTagNS): boolean {
  return uri === RDF && local === 'li';
}

/** Some writers pad with NUL, which XML does not allow. */
function withoutPadding(packet: Uint8Array): Uint8Array {
  return packet.subarray(0, packet.findLastIndex((byte) => byte !== 0) + 1);
}
