import type { ImageRecord } from '@image-catalog/client';
import { useState } from 'react';
import { Button } from '../button.tsx';
import { usePage } from '../contexts/page.ts';
import { useService } from '../contexts/service.ts';
import { Icon } from '../icons/icon.tsx';
import { texts } from '../texts.ts';
import { downloadOriginal, downloadRendition, downloadSizes } from './download.ts';

/** The original, and smaller copies. */
export function DownloadSection({ record }: { readonly record: ImageRecord }): React.JSX.Element {
  const { links } = useService();
  const { trouble } = usePage();
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
