/** The warnings of libjpeg (jerror.h), and whether they mean that image data is lost: libjpeg fills the gap, and goes on. */
const WARNINGS: ReadonlyArray<readonly [text: RegExp, losesData: boolean]> = [
  [/^Corrupt JPEG data: premature end of data segment$/, true],
  [/^Corrupt JPEG data: bad Huffman code$/, true],
  [/^Corrupt JPEG data: bad arithmetic code$/, true],
  [/^Corrupt JPEG data: found marker 0x[0-9a-f]+ instead of RST\d+$/, true],
  [/^Inconsistent progression sequence for component \d+ coefficient \d+$/, true],
  [/^Premature end of JPEG file$/, true],
  [/^Application transferred too many scanlines$/, true],
  [/^Corrupt JPEG data: \d+ extraneous bytes before marker 0x[0-9a-f]+$/, false],
  [/^Corrupt JPEG data: bad ICC marker$/, false],
  [/^Unknown Adobe color transform code \d+$/, false],
  [/^Warning: unknown JFIF revision number \d+\.\d+$/, false],
  [/^Invalid SOS parameters for sequential JPEG$/, false],
];

/** A warning that is not in the table counts as lost data. */
function losesData(warning: string): boolean {
  return WARNINGS.find(([text]) => text.test(warning))?.[1] ?? true;
}

/** libvips writes both into its log when it closes a file, and sharp passes them on. */
const COUNT = /^read gave (\d+) warnings$/;
const FIRST_WARNING = /^VipsJpeg: (.+)$/gm;

/** `unclear`: libjpeg gave several warnings. libvips passes on the text of the first alone, and that one is harmless. */
export type LibjpegVerdict = 'intact' | 'data lost' | 'unclear';

/** What libjpeg reports about a file that it decodes to the end. libvips itself fails at the hundredth warning. */
export class LibjpegReports {
  private count = 0;
  private readonly warnings: string[] = [];

  /** A listener for the event `warning` of sharp. */
  readonly add = (line: string): void => {
    const count = COUNT.exec(line)?.[1];
    if (count !== undefined) this.count = Math.max(this.count, Number(count));
    for (const [, warning = ''] of line.matchAll(FIRST_WARNING)) this.warnings.push(warning);
  };

  get verdict(): LibjpegVerdict {
    if (this.warnings.some(losesData)) return 'data lost';
    return this.count > 1 ? 'unclear' : 'intact';
  }
}
