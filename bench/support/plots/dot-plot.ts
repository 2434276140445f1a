import type { Axis } from './axis.ts';
import type { Theme } from './theme.ts';

export interface Dot {
  /** Index in the names of the series. */
  readonly series: number;
  readonly value: number;
  /** The ends of a line through the dot. */
  readonly range?: readonly [min: number, max: number];
}

export interface Row {
  readonly label: string;
  readonly dots: readonly Dot[];
  /** At the right edge. */
  readonly note?: string;
}

/** Rows of dots on one horizontal axis. */
export interface DotPlot {
  readonly title: string;
  /** What the axis shows. */
  readonly unit: string;
  readonly axis: Axis;
  /** A value that the others compare with. */
  readonly reference?: number;
  readonly series: readonly string[];
  /** `steps`: the series are the same thing in growing numbers. */
  readonly colours: 'steps' | 'kinds';
  readonly rows: readonly Row[];
}

const WIDTH = 880;
const TOP = 84;
const BOTTOM = 44;
const MARGIN = 20;
const CHARACTER = 6.7;
const LINE = 7;

/** Places on a plot, in pixels. */
interface Layout {
  readonly plot: DotPlot;
  readonly theme: Theme;
  readonly rowHeight: number;
  readonly height: number;
  readonly xOf: (value: number) => number;
}

/** @returns an SVG document */
export function drawDotPlot(plot: DotPlot, theme: Theme): string {
  const layout = layOut(plot, theme);
  const parts = [
    `<title>${escape(`${plot.title}: ${plot.unit}`)}</title>`,
    `<rect width="${WIDTH}" height="${layout.height}" rx="6" fill="${theme.background}"/>`,
    text(MARGIN, 30, plot.title, theme.text, 'font-size="16" font-weight="600"'),
    ...legend(layout),
    ...grid(layout),
    ...plot.rows.flatMap((row, at) => drawRow(layout, row, at)),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${WIDTH} ${layout.height}" width="${WIDTH}" height="${layout.height}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="13">\n${parts.join('\n')}\n</svg>\n`;
}

function layOut(plot: DotPlot, theme: Theme): Layout {
  const isCrowded = plot.rows.some(({ dots }) => dots.length > 1);
  const rowHeight = isCrowded ? LINE * plot.series.length + 9 : 25;
  const left = MARGIN * 2 + widest(plot.rows.map(({ label }) => label));
  const right = WIDTH - MARGIN * 2 - widest(plot.rows.map(({ note = '' }) => note));
  return {
    plot,
    theme,
    rowHeight,
    height: TOP + plot.rows.length * rowHeight + BOTTOM,
    xOf: (value) => round(left + plot.axis.positionOf(value) * (right - left)),
  };
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(({ length }) => length)) * CHARACTER;
}

function legend({ plot, theme }: Layout): readonly string[] {
  let x = MARGIN + 5;
  return plot.series.flatMap((name, series) => {
    const entry = [
      `<circle cx="${round(x)}" cy="52" r="5" fill="${theme[plot.colours][series]}"/>`,
      text(x + 11, 56, name, theme.text),
    ];
    x += 40 + name.length * CHARACTER;
    return entry;
  });
}

function grid({ plot, theme, height, xOf }: Layout): readonly string[] {
  const end = height - BOTTOM;
  const ticks = plot.axis.ticks.flatMap((tick) => [
    line(xOf(tick), TOP - 8, xOf(tick), end, theme.grid),
    text(xOf(tick), end + 16, String(tick), theme.muted, 'text-anchor="middle"'),
  ]);
  const [first, last] = [plot.axis.ticks[0] as number, plot.axis.ticks.at(-1) as number];
  const unit = text((xOf(first) + xOf(last)) / 2, end + 34, plot.unit, theme.muted, 'text-anchor="middle"');
  const { reference } = plot;
  if (reference === undefined) return [...ticks, unit];
  return [...ticks, unit, line(xOf(reference), TOP - 8, xOf(reference), end, theme.muted, 1.5)];
}

function drawRow(layout: Layout, { label, dots, note = '' }: Row, at: number): readonly string[] {
  const { plot, theme, rowHeight } = layout;
  const middle = TOP + (at + 0.5) * rowHeight;
  const isAlone = plot.rows.every((row) => row.dots.length <= 1);
  const yOf = ({ series }: Dot): number =>
    isAlone ? middle : middle + (series - (plot.series.length - 1) / 2) * LINE;
  return [
    text(MARGIN, middle + 4, label, theme.text),
    ...dots.flatMap((dot) => drawDot(layout, dot, yOf(dot))),
    text(WIDTH - MARGIN, middle + 4, note, theme.muted, 'text-anchor="end"'),
  ];
}

function drawDot({ plot, theme, xOf }: Layout, { series, value, range }: Dot, y: number): readonly string[] {
  const colour = theme[plot.colours][series] ?? theme.text;
  const dot = `<circle cx="${xOf(value)}" cy="${round(y)}" r="4" fill="${colour}"/>`;
  return range === undefined ? [dot] : [line(xOf(range[0]), y, xOf(range[1]), y, colour, 2), dot];
}

function line(x1: number, y1: number, x2: number, y2: number, colour: string, width = 1): string {
  return `<line x1="${x1}" y1="${round(y1)}" x2="${x2}" y2="${round(y2)}" stroke="${colour}" stroke-width="${width}"/>`;
}

function text(x: number, y: number, content: string, colour: string, attributes = ''): string {
  return `<text x="${round(x)}" y="${round(y)}" fill="${colour}" ${attributes}>${escape(content)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
