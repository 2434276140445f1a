/** For what measures, watches, or sends in small pieces. Returns what ends it. */
export function repeat(everyMs: number, run: () => void): () => void {
  const timer = setInterval(run, everyMs);
  return () => clearInterval(timer);
}
