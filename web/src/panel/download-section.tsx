import type { ImageRecord } from '@image-catalog/client';
import { useState } from 'react';
import { downloadOriginal } from '../catalog/download-original.ts';
import { downloadRendition } from '../catalog/download-rendition.ts';
import { downloadSizes } from '../catalog/download-sizes.ts';
import { useLinks } from '../catalog/use-links.ts';
import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { texts } from '../languages/texts.ts';
import { useTrouble } from '../states/use-trouble.ts';

/** The original, and smaller copies. */
export function DownloadSection({ record }: { readonly record: ImageRecord }): React.JSX.Element {
  const links = useLinks();
  const trouble = useTrouble();
  const sizes = downloadSizes(record);
  const [width, setWidth] = useState(sizes.find((size) => size.width <= 1920)?.width ?? sizes[0]?.width);
  const [format, setFormat] = useState<'jpeg' | 'webp'>('jpeg');
  const report = (error: unknown): void => trouble.report(error);
  return (
    <>
      <button
        type="button"
        className="panel-action"
        onClick={() => void downloadOriginal(links, record.id).catch(report)}
      >
        <Icon name="download" />
        <span>{texts.panel.original(texts.formats.size(record.size))}</span>
      </button>
      {width !== undefined && (
        <div className="panel-downloads">
          <select
            className="panel-input"
            aria-label={texts.panel.size}
            value={width}
            onChange={(event) => setWidth(Number(event.target.value))}
          >
            {sizes.map((size) => (
              <option key={size.width} value={size.width}>
                {size.label}
              </option>
            ))}
          </select>
          <select
            className="panel-input"
            aria-label={texts.panel.format}
            value={format}
            onChange={(event) => setFormat(event.target.value === 'webp' ? 'webp' : 'jpeg')}
          >
            <option value="jpeg">JPEG</option>
            <option value="webp">WebP</option>
          </select>
          <Button onClick={() => void downloadRendition(links, record.id, { width, format }).catch(report)}>
            {texts.panel.download}
          </Button>
        </div>
      )}
    </>
  );
}
