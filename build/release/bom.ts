/** The parts of a CycloneDX document, version 1.5, that a release reads or changes. */
export interface Bom {
  readonly metadata: Metadata;
  readonly components: readonly Component[];
  readonly dependencies: readonly Dependency[];
}

interface Metadata {
  readonly timestamp: string;
  readonly lifecycles: readonly { readonly phase: string }[];
  readonly tools: readonly { readonly vendor: string; readonly name: string; readonly version: string }[];
  readonly component: Component;
}

export interface Component {
  /** `name@version` of a package of npm. */
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly scope?: string;
  readonly purl?: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
  readonly licenses?: readonly License[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly components?: readonly Component[];
}

type License =
  | { readonly license: { readonly id: string } | { readonly name: string } }
  | { readonly expression: string };

interface Dependency {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

/** The name in `name@version`. */
export function nameOf(ref: string): string {
  return ref.slice(0, ref.lastIndexOf('@'));
}
