import type { ImageMetadata } from '@image-catalog/client';
import { texts } from '../texts.ts';

type Capture = ImageMetadata['capture'];

/** As in `Canon EOS R5`, `f/1.8 · 1/250 s · ISO 400 · 50 mm`: a line for the camera, the lens, the exposure, the place. */
export function captureLines(capture: Capture): readonly string[] {
  const lines = [
    cameraName(textOf(capture, 'make'), textOf(capture, 'model')),
    textOf(capture, 'lens'),
    exposureLine(capture),
    placeLine(capture),
  ];
  return lines.filter((line) => line !== undefined);
}

/** Most models begin with the make already. */
export function cameraName(make: string | undefined, model: string | undefined): string | undefined {
  if (make === undefined || model === undefined) return model ?? make;
  const [firstWord = ''] = make.split(' ');
  const isNamed = model.toLowerCase().startsWith(firstWord.toLowerCase());
  return isNamed ? model : `${make} ${model}`;
}

/** As cameras show it: fractions below 0.3 s. */
export function formatExposure(seconds: number): string {
  const { number, decimal } = texts.formats;
  if (seconds < 0.3) return `1/${number(1 / seconds)} s`;
  return `${decimal(seconds)} s`;
}

function exposureLine(capture: Capture): string | undefined {
  const { decimal } = texts.formats;
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
  const { north, south, east, west } = texts.panel.directions;
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
