import { Session } from 'node:inspector/promises';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../../../src/', import.meta.url));

/** The source files with a function that runs between two calls, by V8's precise coverage of this process. */
export class Coverage {
  private constructor(private readonly session: Session) {}

  static async start(): Promise<Coverage> {
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return new Coverage(session);
  }

  /** Since the call before, sorted; relative to `src`. */
  async take(): Promise<readonly string[]> {
    const { result } = await this.session.post('Profiler.takePreciseCoverage');
    const executed = result
      .filter(({ functions }) => functions.some(hasRun))
      .flatMap(({ url }) => pathOf(url));
    return [...new Set(executed)].sort();
  }
}

function hasRun({ ranges }: { readonly ranges: ReadonlyArray<{ readonly count: number }> }): boolean {
  return ranges.some(({ count }) => count > 0);
}

function pathOf(url: string): readonly string[] {
  if (!url.startsWith('file:')) return [];
  const path = relative(SOURCES, fileURLToPath(url.replace(/\?.*$/, '')));
  return path.startsWith(`..${sep}`) ? [] : [path];
}
