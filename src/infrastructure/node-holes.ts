/** A security hole of Node.js that clients of this service could use. */
export interface NodeHole {
  readonly cve: string;
  /** What a client could do, as the end of a sentence. */
  readonly effect: string;
  /** By affected release line: the first version with the fix. `undefined`: no version of this line has it. */
  readonly fixedIn: Readonly<Record<number, string | undefined>>;
}

/** The releases of 24 March 2026. The lines 21 and 23 had ended by then. */
const MARCH_2026 = {
  20: '20.20.2',
  21: undefined,
  22: '22.22.2',
  23: undefined,
  24: '24.14.1',
  25: '25.8.2',
} as const;

/** As the change logs of Node.js name them. Holes in parts that the service does not use, such as HTTP/2 and TLS servers, are left out. */
export const NODE_HOLES: readonly NodeHole[] = [
  {
    cve: 'CVE-2026-21710',
    effect: 'a header named __proto__ makes Node.js throw an error while it reads the headers of a request',
    fixedIn: MARCH_2026,
  },
  {
    cve: 'CVE-2026-21717',
    effect:
      'JSON with many keys that look like numbers takes much more CPU time than other JSON of its length',
    fixedIn: MARCH_2026,
  },
  {
    cve: 'CVE-2025-23167',
    effect: 'headers that end in a wrong way can hide a request from a proxy in front of the service',
    fixedIn: { 20: '20.19.2' },
  },
];

export interface FoundHole extends NodeHole {
  /** The nearest version with the fix. */
  readonly upgradeTo: string;
}

/** @param version such as `v20.19.0` */
export function holesOf(version: string): readonly FoundHole[] {
  const running = partsOf(version);
  const [line = 0] = running;
  return NODE_HOLES.flatMap((hole) => {
    if (!Object.hasOwn(hole.fixedIn, line)) return [];
    const fixed = hole.fixedIn[line];
    if (fixed !== undefined && !isBefore(running, partsOf(fixed))) return [];
    return [{ ...hole, upgradeTo: fixed ?? nextFix(hole, line) }];
  });
}

/** The first fix in a later line. */
function nextFix({ fixedIn }: NodeHole, line: number): string {
  const later = Object.entries(fixedIn).find(([other, fix]) => Number(other) > line && fix !== undefined);
  return later?.[1] ?? 'a later version';
}

function partsOf(version: string): readonly number[] {
  return version.replace(/^v/, '').split('.').map(Number.parseFloat);
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const at = b.findIndex((part, index) => a[index] !== part);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}
