import { type Options, SingleBar } from 'cli-progress';

interface BarOptions extends Pick<Options, 'format' | 'etaBuffer'> {
  /** Where the bar begins. */
  readonly from?: number;
  /** First values of the format's own words. */
  readonly words?: object;
}

/** A bar on stderr while the work runs; nothing without a terminal. */
export async function withBar<T>(
  total: number,
  work: (bar: SingleBar) => Promise<T>,
  { from = 0, words, ...options }: BarOptions = {},
): Promise<T> {
  const bar = new SingleBar({ stream: process.stderr, noTTYOutput: false, ...options });
  bar.start(total, from, words);
  try {
    return await work(bar);
  } finally {
    bar.stop();
  }
}
