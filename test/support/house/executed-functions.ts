import { Session } from 'node:inspector/promises';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../../../src/', import.meta.url));

/**
 * The functions of `src` that run in this process between two calls, by V8's precise coverage. Each is a text: its file below
 * `src`, its name, and its offset in the compiled file, which tells those without a name apart.
 */
export class ExecutedFunctions {
  private constructor(private readonly session: Session) {}

  static async start(): Promise<ExecutedFunctions> {
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return new ExecutedFunctions(session);
  }

  async take(): Promise<ReadonlySet<string>> {
    const { result } = await this.session.post('Profiler.takePreciseCoverage');
    const executed = result.flatMap(({ url, functions }) =>
      filesOf(url).flatMap((file) =>
        functions
          .filter(hasRun)
          .map(({ functionName, ranges }) => `${file} ${functionName}@${ranges[0]?.startOffset}`),
      ),
    );
    return new Set(executed);
  }
}

/** `__name` is added by the compiler. */
function hasRun(one: {
  readonly functionName: string;
  readonly ranges: ReadonlyArray<{ readonly count: number }>;
}): boolean {
  return one.functionName !== '__name' && one.ranges.some(({ count }) => count > 0);
}

function filesOf(url: string): readonly string[] {
  if (!url.startsWith('file:')) return [];
  const path = relative(SOURCES, fileURLToPath(url.replace(/\?.*$/, '')));
  return path.startsWith(`..${sep}`) ? [] : [path];
}
