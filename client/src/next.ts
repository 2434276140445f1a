import { publicUrl } from './public.ts';

interface LoaderProps {
  /** The public address of a name. */
  readonly src: string;
  /** Pixels. */
  readonly width: number;
}

/** A loader of `next/image`, whose widths the service offers by default. A public address has no quality. */
export function nextLoader({ src, width }: LoaderProps): string {
  return publicUrl({ url: src }, { width, format: 'auto' }) ?? src;
}
