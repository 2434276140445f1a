import { SaxesParser, type SaxesTagNS } from 'saxes';

const DUBLIN_CORE = 'http://purl.org/dc/elements/1.1/';
const RIGHTS = 'http://ns.adobe.com/xap/1.0/rights/';
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const XML = 'http://www.w3.org/XML/1998/namespace';

/** The namespaces of the properties that are read, by local name. */
const NAMESPACES = {
  subject: DUBLIN_CORE,
  title: DUBLIN_CORE,
  description: DUBLIN_CORE,
  creator: DUBLIN_CORE,
  rights: DUBLIN_CORE,
  AltTextAccessibility: 'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/',
  Credit: 'http://ns.adobe.com/photoshop/1.0/',
  UsageTerms: RIGHTS,
  WebStatement: RIGHTS,
} as const;

type XmpProperty = keyof typeof NAMESPACES;

const PROPERTIES = Object.keys(NAMESPACES) as readonly XmpProperty[];

/** The values of properties in their order, as they are. Of a language alternative, the default comes first. */
export type XmpValues = { readonly [Property in XmpProperty]?: readonly string[] };

/** What a JPEG segment holds. Longer packets are not read. */
export const MAX_XMP_BYTES = 64 * 1024;

/** saxes resolves a prefix by walking up all open elements: 40,000 of them took 32 s. */
const MAX_DEPTH = 64;

/** Has no values if the packet is ill-formed or has a document type. */
export function readXmp(packet: Uint8Array): XmpValues {
  if (packet.length > MAX_XMP_BYTES || !mentionsProperty(packet)) return {};
  const reading = new PropertyReader();
  try {
    reading.read(new TextDecoder('utf-8', { fatal: true }).decode(withoutPadding(packet)));
  } catch {
    return {};
  }
  return reading.values;
}

interface Values {
  /** In the default language of an alternative. */
  readonly byDefault: string[];
  readonly others: string[];
}

/**
 * Reads the properties of the picture itself: those of a resource directly below `rdf:RDF`. Structures further down describe other
 * pictures, such as the parts of a montage. saxes loads nothing and expands no entities except the five of XML.
 */
class PropertyReader {
  private readonly found = new Map<XmpProperty, Values>();
  private depth = 0;
  private rootDepth: number | undefined;
  private property: XmpProperty | undefined;
  /** The value that is being read. */
  private text: string | undefined;
  private isDefault = false;

  get values(): XmpValues {
    return Object.fromEntries(
      [...this.found].map(([property, { byDefault, others }]) => [property, [...byDefault, ...others]]),
    );
  }

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
    if (this.rootDepth === undefined) {
      if (isOfRdf(tag, 'RDF')) this.rootDepth = this.depth;
    } else if (this.depth === this.rootDepth + 1) this.readAttributes(tag);
    else if (this.isPropertyDepth) this.openProperty(tag);
    else if (this.property !== undefined && isValue(tag)) this.openValue(tag);
  }

  private get isPropertyDepth(): boolean {
    return this.rootDepth !== undefined && this.depth === this.rootDepth + 2;
  }

  /** Simple properties may be attributes of their resource. */
  private readAttributes({ attributes }: SaxesTagNS): void {
    for (const attribute of Object.values(attributes)) {
      const property = propertyOf(attribute);
      if (property !== undefined) this.push(property, attribute.value);
    }
  }

  private openProperty(tag: SaxesTagNS): void {
    this.property = propertyOf(tag);
    this.isDefault = false;
    if (this.property === undefined) return;
    this.text = '';
    // Addresses may be written so.
    const resource = Object.values(tag.attributes).find((attribute) => isOfRdf(attribute, 'resource'));
    if (resource !== undefined) this.push(this.property, resource.value);
  }

  private openValue(tag: SaxesTagNS): void {
    this.text = '';
    // The language is an attribute of the item, also if the item has qualifiers and therefore its text in `rdf:value`.
    if (!isOfRdf(tag, 'li')) return;
    this.isDefault = Object.values(tag.attributes).some(
      ({ uri, local, value }) => uri === XML && local === 'lang' && value.toLowerCase() === 'x-default',
    );
  }

  private add(text: string): void {
    if (this.text !== undefined) this.text += text;
  }

  private close(tag: SaxesTagNS): void {
    if (this.property !== undefined && (this.isPropertyDepth || isValue(tag))) {
      if (this.text !== undefined) this.push(this.property, this.text);
      this.text = undefined;
      if (this.isPropertyDepth) this.property = undefined;
    }
    this.depth -= 1;
  }

  private push(property: XmpProperty, value: string): void {
    const values = this.found.get(property) ?? { byDefault: [], others: [] };
    this.found.set(property, values);
    (this.isDefault ? values.byDefault : values.others).push(value);
  }
}

/** Most packets have none of the properties and need no parsing. */
function mentionsProperty(packet: Uint8Array): boolean {
  const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength);
  return PROPERTIES.some((property) => bytes.includes(property));
}

interface Name {
  readonly uri: string;
  readonly local: string;
}

function propertyOf({ uri, local }: Name): XmpProperty | undefined {
  const property = PROPERTIES.find((name) => name === local);
  return property !== undefined && NAMESPACES[property] === uri ? property : undefined;
}

function isOfRdf({ uri, local }: Name, name: string): boolean {
  return uri === RDF && local === name;
}

/** An item of a list, or a value that has qualifiers. */
function isValue(tag: Name): boolean {
  return isOfRdf(tag, 'li') || isOfRdf(tag, 'value');
}

/** Some writers pad with NUL, which XML does not allow. */
function withoutPadding(packet: Uint8Array): Uint8Array {
  return packet.subarray(0, packet.findLastIndex((byte) => byte !== 0) + 1);
}
