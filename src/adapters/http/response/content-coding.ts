/** In the order of the service's preference. */
export type ContentCoding = 'br' | 'gzip' | 'identity';

const ORDER: readonly ContentCoding[] = ['br', 'gzip', 'identity'];

/** Acceptable unless it is refused, but any coding that the client names is preferred (RFC 9110, section 12.5.3). */
const UNNAMED_IDENTITY = 0.0001;

/**
 * The available coding that the client prefers. `identity` if it accepts none of them: a client that refuses everything still
 * learns more from the bytes than from an error.
 *
 * @param header `Accept-Encoding`; '' if it is not sent
 */
export function preferredCoding(header: string, available: ReadonlySet<ContentCoding>): ContentCoding {
  const weights = weightsOf(header);
  const ranked = ORDER.filter((coding) => available.has(coding))
    .map((coding) => ({ coding, weight: weightOf(coding, weights) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  return ranked[0]?.coding ?? 'identity';
}

function weightOf(coding: ContentCoding, weights: ReadonlyMap<string, number>): number {
  const named = weights.get(coding) ?? weights.get('*');
  return named ?? (coding === 'identity' ? UNNAMED_IDENTITY : 0);
}

const MEMBER = /^([!#$%&'*+.^_`|~\w-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/** Ill-formed members are ignored. */
function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const member of header.split(',')) {
    const [, name, weight = '1'] = MEMBER.exec(member.trim()) ?? [];
    if (name !== undefined) weights.set(canonicalName(name), Number(weight));
  }
  return weights;
}

/** RFC 9110, section 8.4.1.3. */
function canonicalName(name: string): string {
  const lower = name.toLowerCase();
  return lower === 'x-gzip' ? 'gzip' : lower;
}
