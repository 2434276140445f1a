/** A profile as Podman and Docker read it: rules can depend on the capabilities and the architecture of a container. */
export interface ConditionalProfile {
  readonly defaultAction: string;
  readonly defaultErrnoRet: number;
  readonly archMap: readonly {
    readonly architecture: string;
    readonly subArchitectures: readonly string[];
  }[];
  readonly syscalls: readonly ConditionalRule[];
}

interface Conditions {
  readonly caps?: readonly string[];
  readonly arches?: readonly string[];
}

interface ConditionalRule {
  readonly names: readonly string[];
  readonly action: string;
  readonly errnoRet?: number;
  readonly args: readonly object[] | null;
  readonly comment: string;
  readonly includes: Conditions;
}

/** Node.js and sharp have builds for these. */
const ARCHITECTURES = ['SCMP_ARCH_X86_64', 'SCMP_ARCH_AARCH64'];
const ARCHES = ['amd64', 'x86', 'x32', 'arm64', 'arm'];

/**
 * The same profile for a container without capabilities, as the OCI runtime specification has it. containerd reads this format
 * alone: of the other one it ignores the conditions, and would allow what needs a capability.
 */
export function ociProfile({
  defaultAction,
  defaultErrnoRet,
  archMap,
  syscalls,
}: ConditionalProfile): object {
  return {
    defaultAction,
    defaultErrnoRet,
    architectures: archMap
      .filter(({ architecture }) => ARCHITECTURES.includes(architecture))
      .flatMap(({ architecture, subArchitectures }) => [architecture, ...subArchitectures]),
    syscalls: syscalls
      .filter(appliesWithoutCapabilities)
      .map(({ names, action, errnoRet, args, comment }) => ({
        ...(comment === '' ? {} : { comment }),
        names,
        action,
        ...(errnoRet === undefined ? {} : { errnoRet }),
        ...(args === null || args.length === 0 ? {} : { args }),
      })),
  };
}

/** A rule that excludes a capability applies, because the container has none. */
function appliesWithoutCapabilities({ includes: { caps = [], arches = ARCHES } }: ConditionalRule): boolean {
  return caps.length === 0 && arches.some((arch) => ARCHES.includes(arch));
}
