import type { ImageRecord, LinkRendition } from '@image-catalog/client';
import { useState } from 'react';
import { downloadFile } from '../catalog/download-file.ts';
import { downloadSizes } from '../catalog/download-sizes.ts';
import { useLinks } from '../catalog/use-links.ts';
import { Button } from '../controls/button.tsx';
import { formats } from '../languages/formats.ts';
import { useTrouble } from '../trouble/use-trouble.ts';
import { PanelAction } from './panel-action.tsx';
import { panelTexts } from './panel-texts.ts';

/** The original, the same picture with nothing beside it, and smaller copies. */
export function DownloadSection({ record }: { readonly record: ImageRecord }): React.JSX.Element {
  const links = useLinks();
  const trouble = useTrouble();
  const sizes = downloadSizes(record);
  const [width, setWidth] = useState(sizes.find((size) => size.width <= 1920)?.width ?? sizes[0]?.width);
  const [format, setFormat] = useState<'jpeg' | 'webp'>('jpeg');
  const download = (rendition?: LinkRendition): Promise<void> =>
    downloadFile(links, record.id, rendition).catch((error: unknown) => trouble.report(error));
  return (
    <>
      <PanelAction
        icon="download"
        label={panelTexts().original(formats().size(record.size))}
        onClick={download}
      />
      <PanelAction
        icon="download"
        label={panelTexts().clean}
        onClick={() => download({ metadata: 'none' })}
      />
      {width !== undefined && (
        <div className="panel-downloads">
          <select
            className="panel-input"
            aria-label={panelTexts().size}
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
            aria-label={panelTexts().format}
            value={format}
            onChange={(event) => setFormat(event.target.value === 'webp' ? 'webp' : 'jpeg')}
          >
            <option value="jpeg">JPEG</option>
            <option value="webp">WebP</option>
          </select>
          <Button onClick={() => void download({ width, format })}>{panelTexts().download}</Button>
        </div>
      )}
    </>
  );
}
