import type { ImageMetadata } from '@image-catalog/client';
import { formats } from '../languages/formats.ts';
import { type ViewState, validCapture } from '../view-state/view-state.ts';
import { cameraName } from './camera-name.ts';
import { formatExposure } from './format-exposure.ts';
import { panelTexts } from './panel-texts.ts';

type Capture = ImageMetadata['capture'];

export interface CaptureLine {
  readonly kind: 'camera' | 'lens' | 'exposure' | 'place';
  /** As in `Canon EOS R5` and `f/1.8 · 1/250 s · ISO 400 · 50 mm`. */
  readonly text: string;
  /** That shows the pictures of this camera or lens. */
  readonly filter?: Partial<ViewState>;
}

export function captureLines(capture: Capture): readonly CaptureLine[] {
  return [
    ...filterLine('camera', cameraName(textOf(capture, 'make'), textOf(capture, 'model'))),
    ...filterLine('lens', textOf(capture, 'lens')),
    ...plainLine('exposure', exposureLine(capture)),
    ...plainLine('place', placeLine(capture)),
  ];
}

function plainLine(kind: CaptureLine['kind'], text: string | undefined): readonly CaptureLine[] {
  return text === undefined ? [] : [{ kind, text }];
}

function filterLine(kind: 'camera' | 'lens', text: string | undefined): readonly CaptureLine[] {
  const words = validCapture(text ?? '');
  return plainLine(kind, text).map((line) => (words === '' ? line : { ...line, filter: { [kind]: words } }));
}

function exposureLine(capture: Capture): string | undefined {
  const { decimal } = formats();
  const fNumber = numberOf(capture, 'fNumber');
  const exposure = numberOf(capture, 'exposureSeconds');
  const iso = numberOf(capture, 'iso');
  const focalLength = numberOf(capture, 'focalLengthMm');
  const parts = [
    fNumber && `f/${decimal(fNumber)}`,
    exposure && formatExposure(exposure),
    iso && `ISO ${decimal(iso)}`,
    focalLength && `${decimal(focalLength)} mm`,
  ].filter(Boolean);
  return parts.length === 0 ? undefined : parts.join(' · ');
}

/** Only services that keep GPS have it. */
function placeLine(capture: Capture): string | undefined {
  const { latitude, longitude } = capture;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
  const { north, south, east, west } = panelTexts().directions;
  const degrees = (value: number, positive: string, negative: string): string =>
    `${Math.abs(value).toFixed(5)}° ${value < 0 ? negative : positive}`;
  return `${degrees(latitude, north, south)}, ${degrees(longitude, east, west)}`;
}

function textOf(capture: Capture, name: string): string | undefined {
  const value = capture[name];
  return typeof value === 'string' ? value : undefined;
}

function numberOf(capture: Capture, name: string): number | undefined {
  const value = capture[name];
  return typeof value === 'number' && value > 0 ? value : undefined;
}
